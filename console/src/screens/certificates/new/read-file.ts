import { canonicalJson, encodeHex, JsonError, type JsonValue, readStorableJson } from '@millseal/proof'
import { extractEmbeddedCertificate, looksLikePdf, valueAt } from '@millseal/proof/verifier'
import { summaryOf } from '../../../verify/summary.ts'
import type { Unreadable } from './entry.ts'

export type ReadFile =
  | { readonly unreadable: Unreadable }
  | { readonly unreadable?: undefined; readonly hash: string; readonly number: string | undefined }

const maxDepth = 64

/** The certificate inside a PDF that Millseal made; other files as they are. */
export const certificateIn = async (bytes: ArrayBuffer): Promise<ArrayBuffer> => {
  const file = new Uint8Array(bytes)
  if (!looksLikePdf(file)) return bytes
  try {
    const inside = await extractEmbeddedCertificate(file)
    return inside === undefined ? bytes : new Uint8Array(inside).buffer
  } catch {
    return bytes
  }
}

/** The first bytes of JPEG, PNG, GIF, WebP, TIFF and HEIC, as Latin-1. */
const picture = /^(?:\xFF\xD8\xFF|\x89PNG|GIF8|RIFF....WEBP|II\*\0|MM\0\*|....ftyp)/s

/** Kinds of files that people drop although nothing can be read from them. */
const otherKindOf = (bytes: Uint8Array): 'pdf' | 'picture' | undefined => {
  if (looksLikePdf(bytes)) return 'pdf'
  return picture.test(String.fromCharCode(...bytes.subarray(0, 16))) ? 'picture' : undefined
}

/** Reads a file as strictly as the server, so that anything else than a certificate is never sent. */
export const readFile = async (bytes: ArrayBuffer): Promise<ReadFile> => {
  const other = otherKindOf(new Uint8Array(bytes))
  if (other !== undefined) return { unreadable: { kind: other } }
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
