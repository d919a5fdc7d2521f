import { compareBytes, concatBytes, equalBytes } from '../encoding/bytes.ts'
import { decodeHex } from '../encoding/hex.ts'
import { encodeDer } from '../ledger/der.ts'
import { sha2 } from './algorithms.ts'
import { type Authority, chainOf } from './chain.ts'
import { context, type DerValue, readDer, tags } from './der.ts'
import { openFields, smallOf } from './fields.ts'
import { StampRefused } from './stamp-refused.ts'
import { readToken } from './token.ts'
import { type Stamped, verifyStamp } from './verify-stamp.ts'

/** What an authority is asked: a SHA-256, and random bytes that its answer repeats. */
export type StampQuestion = { readonly sha256: Uint8Array; readonly nonce: Uint8Array }

const one = Uint8Array.of(1)

/** TimeStampReq of RFC 3161 §2.4.1. Asks for the certificates of the authority. */
export const writeStampRequest = ({ sha256, nonce }: StampQuestion): Uint8Array => {
  const algorithm = encodeDer(
    tags.sequence,
    encodeDer(tags.oid, decodeHex(sha2[0]?.oid ?? '')),
    encodeDer(tags.null),
  )
  return encodeDer(
    tags.sequence,
    encodeDer(tags.integer, one),
    encodeDer(tags.sequence, algorithm, encodeDer(tags.octetString, sha256)),
    encodeDer(tags.integer, positive(nonce)),
    encodeDer(tags.boolean, Uint8Array.of(0xff)),
  )
}

/** As an integer in its shortest form. */
const positive = (bytes: Uint8Array): Uint8Array => {
  const first = Uint8Array.of(((bytes[0] ?? 0) & 0x3f) | 0x40)
  return concatBytes(first, bytes.subarray(1))
}

/**
 * Reads a TimeStampResp of RFC 3161 §2.4.2 and returns its token as `verifyStamp` accepts it: without what nothing signs, and
 * only with the certificates that are needed. Throws `StampRefused`.
 */
export const readStampResponse = (
  response: Uint8Array,
  { sha256, nonce, authorities }: StampQuestion & { readonly authorities: readonly Authority[] },
): { readonly token: Uint8Array; readonly stamped: Stamped } => {
  const fields = openFields(readDer(response), 'answer')
  const status = openFields(fields.take(tags.sequence), 'answer')
  const granted = smallOf(status.take(tags.integer), 'answer')
  if (granted > 1)
    throw new StampRefused(
      `The authority refused with status ${granted}${wordsOf(status.takeIf(tags.sequence))}`,
    )
  const token = trimmed(fields.take(tags.sequence), authorities)
  fields.end()
  const { info } = readToken(token)
  if (info.nonce === undefined || !equalBytes(info.nonce, positive(nonce)))
    throw new StampRefused('The answer of the authority is not to this question')
  return { token, stamped: verifyStamp({ token, sha256, authorities }) }
}

/** PKIFreeText. */
const wordsOf = (value: DerValue | undefined): string => {
  const text = (value?.parts ?? []).map(({ content }) => new TextDecoder().decode(content)).join(' ')
  return text === '' ? '' : `: ${text}`
}

/** The certificates of SignedData are its fourth field, and what nothing signs of a signer is its last. */
const trimmed = (token: DerValue, authorities: readonly Authority[]): Uint8Array => {
  const [type, wrapped] = token.parts
  const signedData = wrapped?.parts[0]
  if (type === undefined || signedData === undefined) throw new StampRefused('This is not a time stamp')
  const write = (certificates: readonly Uint8Array[]): Uint8Array =>
    encodeDer(
      tags.sequence,
      type.bytes,
      encodeDer(
        context(0),
        encodeDer(
          tags.sequence,
          ...signedData.parts.flatMap((part, at) => trimPart(part, { at, certificates })),
        ),
      ),
    )
  const certificates = signedData.parts[3]?.tag === context(0) ? signedData.parts[3].parts : []
  const sorted = write(sortedBytes(certificates))
  const needed = chainOf(readToken(sorted), authorities).certificates
  return write(sortedBytes(needed))
}

const sortedBytes = (values: readonly { readonly bytes: Uint8Array }[]): readonly Uint8Array[] =>
  values.map(({ bytes }) => bytes).toSorted(compareBytes)

const trimPart = (
  part: DerValue,
  { at, certificates }: { readonly at: number; readonly certificates: readonly Uint8Array[] },
): readonly Uint8Array[] => {
  if (at === 3 && part.tag === context(0)) return [encodeDer(context(0), ...certificates)]
  if (at > 3 && part.tag === context(1)) return []
  if (at < 3 || part.tag !== tags.set) return [part.bytes]
  const signers = part.parts.map(({ parts }) =>
    encodeDer(tags.sequence, ...parts.filter(({ tag }) => tag !== context(1)).map(({ bytes }) => bytes)),
  )
  return [encodeDer(tags.set, ...signers)]
}
