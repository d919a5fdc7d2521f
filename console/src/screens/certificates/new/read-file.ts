import { canonicalJson, encodeHex, JsonError, type JsonValue, readStorableJson } from '@millseal/proof'
import type { Unreadable } from './entry.ts'

export type ReadFile =
  | { readonly unreadable: Unreadable }
  | { readonly unreadable?: undefined; readonly hash: string; readonly number: string | undefined }

const maxDepth = 64

/** Reads a file as strictly as the server, so that anything else than a certificate is never sent. */
export const readFile = async (bytes: ArrayBuffer): Promise<ReadFile> => {
  let json: JsonValue
  try {
    json = readStorableJson(new Uint8Array(bytes), { maxDepth })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return { unreadable: { kind: 'json', reason: error.message } }
  }
  if (Array.isArray(json)) return { unreadable: { kind: 'list' } }
  if (typeof at(json, ['RefSchemaUrl']) !== 'string') return { unreadable: { kind: 'certificate' } }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(json)))
  return { hash: encodeHex(new Uint8Array(digest)), number: numberIn(json) }
}

const at = (json: JsonValue | undefined, path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (value, key) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined,
    json,
  )

/** The places where certificates have their number. The server names it exactly once the certificate is accepted. */
const numberPaths = [
  ['Certificate', 'CommercialTransaction', 'A03'],
  ['Certificate', 'Id'],
  ['DigitalMaterialPassport', 'GeneralInformation', 'UserDefinedId'],
  ['DigitalMaterialPassport', 'UserDefinedId'],
  ['DigitalMaterialPassport', 'Id'],
  ['Id'],
] as const

const numberIn = (json: JsonValue): string | undefined => {
  for (const path of numberPaths) {
    const value = at(json, path)
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value)
  }
  return undefined
}
