import { canonicalJson, encodeHex, JsonError, type JsonValue, readStorableJson } from '@millseal/proof'
import { valueAt } from '@millseal/proof/verifier'
import { summaryOf } from '../../../verify/summary.ts'
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
    const { jsonCodeOf } = await import('@millseal/contract/json-reasons')
    const { fault, values, pointer } = error
    const named = pointer === '' ? values : { ...values, label: pointer }
    const because = { code: jsonCodeOf(fault), values: named }
    return { unreadable: { kind: 'json', reason: error.message, because } }
  }
  if (Array.isArray(json)) return { unreadable: { kind: 'list' } }
  if (typeof valueAt(json, ['RefSchemaUrl']) !== 'string') return { unreadable: { kind: 'certificate' } }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(json)))
  return { hash: encodeHex(new Uint8Array(digest)), number: summaryOf(json).number }
}
