import { decodeHex } from '../encoding/hex.ts'
import { findBytes, needle } from '../pdf/find-bytes.ts'
import { SealRefused } from './seal-refused.ts'

/** The place for the signature of a PDF, and what it covers: all bytes around it. Nothing of it is verified. */
export type SealHole = {
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** What is between the angle brackets, which begins at this byte. */
  readonly digits: string
  readonly from: number
  /** When it was made, by the clock of the signer. RFC 3339 in UTC. */
  readonly claimedAt: string
}

const kind = needle('/SubFilter /ETSI.CAdES.detached')
/** Of the dictionary up to its hole. The name of the signer is the longest part. */
const longestHead = 4_096

const head =
  /\/M \(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)\/ByteRange \[(\d{1,10}) +(\d{1,10}) +(\d{1,10}) +(\d{1,10}) *\]\/Contents </

const latin1 = new TextDecoder('latin1')

/** The last one: the dictionary is the last object before the cross-reference stream. */
const lastSeal = (pdf: Uint8Array): number => {
  let last = -1
  for (let at = findBytes(pdf, kind, 0); at >= 0; at = findBytes(pdf, kind, at + 1)) last = at
  return last
}

/**
 * Finds the place for a seal as docs/seal.md describes it to the byte: the range is everything around it. Undefined without one.
 * Throws `SealRefused`.
 */
export const findSealHole = (pdf: Uint8Array): SealHole | undefined => {
  const at = lastSeal(pdf)
  if (at < 0) return undefined
  const found = head.exec(latin1.decode(pdf.subarray(at, at + longestHead)))
  if (found === null) throw new SealRefused('The PDF has a signature that is not a seal of this service')
  const [text, year, month, day, hour, minute, second, ...numbers] = found
  const hole = at + found.index + text.length - 1
  const [start, before, after = 0, rest = 0] = numbers.map(Number)
  if (start !== 0 || before !== hole || after <= hole || after > pdf.length) throw notWhole()
  if (after + rest !== pdf.length) throw new SealRefused('The PDF was extended after it was sealed')
  const digits = /^<((?:[0-9a-f]{2})+)>$/.exec(latin1.decode(pdf.subarray(hole, after)))?.[1]
  if (digits === undefined) throw notWhole()
  return {
    before: pdf.subarray(0, hole),
    after: pdf.subarray(after),
    digits,
    from: hole + 1,
    claimedAt: `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`,
  }
}

const notWhole = (): SealRefused => new SealRefused('The seal does not cover the whole PDF')

/** The SignedData in DER, without the zeros that fill up the hole, of which none may be anything else. */
export const fillingOf = ({ digits }: SealHole): Uint8Array => {
  const bytes = decodeHex(digits)
  // A SEQUENCE with a length of two octets.
  const length = 4 + (bytes[2] ?? 0) * 256 + (bytes[3] ?? 0)
  const isFilled = bytes[0] === 0x30 && bytes[1] === 0x82 && length <= bytes.length
  if (!isFilled || bytes.subarray(length).some((octet) => octet !== 0)) throw notWhole()
  return bytes.subarray(0, length)
}
