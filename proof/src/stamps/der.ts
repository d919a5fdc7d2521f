import { compareBytes } from '../encoding/bytes.ts'
import { StampRefused } from './stamp-refused.ts'

/** A value in DER (ITU-T X.690). */
export type DerValue = {
  readonly tag: number
  /** The whole encoding. */
  readonly bytes: Uint8Array
  readonly content: Uint8Array
  /** Of a constructed value. */
  readonly parts: readonly DerValue[]
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** The tag of `[number]`, with values inside. */
export const context = (number: number): number => 0xa0 + number

const constructed = 0x20
const universal = 0x00
const contextSpecific = 0x80
const deepest = 24

const refuse = (why: string): never => {
  throw new StampRefused(`The time stamp is not in DER: ${why}`)
}

/**
 * Accepts only what DER allows, so that a value has one encoding: everything that is read, encoded again, gives the same bytes.
 * Throws `StampRefused`.
 */
export const readDer = (bytes: Uint8Array, depth = 0): DerValue => {
  const value = readFirst(bytes, depth)
  if (value.bytes.length < bytes.length) refuse('bytes follow after its end')
  return value
}

const readFirst = (bytes: Uint8Array, depth: number): DerValue => {
  const [tag = 0, first = 0] = bytes
  if (bytes.length < 2) refuse('it ends early')
  const kind = tag & 0xc0
  const number = tag & 0x1f
  if ((kind !== universal && kind !== contextSpecific) || number === 0x1f || tag === 0)
    refuse(`the tag ${tag} is unknown`)
  const { start, length } = readLength(bytes, first)
  if (start + length > bytes.length) refuse('it ends early')
  const content = bytes.subarray(start, start + length)
  const isConstructed = (tag & constructed) !== 0
  if (kind === universal && isConstructed !== (tag === tags.sequence || tag === tags.set))
    refuse(`the tag ${tag} is unknown`)
  if (depth > deepest) refuse('it is too deep')
  const value = {
    tag,
    bytes: bytes.subarray(0, start + length),
    content,
    parts: isConstructed ? readParts(content, depth + 1) : [],
  }
  checks[tag]?.(content)
  if (tag === tags.set) assertOrder(value.parts)
  return value
}

/** X.690 §10.1: the shortest definite form. */
const readLength = (
  bytes: Uint8Array,
  first: number,
): { readonly start: number; readonly length: number } => {
  if (first < 0x80) return { start: 2, length: first }
  const octets = bytes.subarray(2, 2 + first - 0x80)
  if (octets.length > 3) refuse('a length is too large')
  const length = octets.reduce((value, octet) => value * 256 + octet, 0)
  if (octets[0] === 0 || length < 0x80) refuse('a length is not in its shortest form')
  return { start: 2 + octets.length, length }
}

const readParts = (content: Uint8Array, depth: number): readonly DerValue[] => {
  const parts: DerValue[] = []
  for (let at = 0; at < content.length; ) {
    const part = readFirst(content.subarray(at), depth)
    parts.push(part)
    at += part.bytes.length
  }
  return parts
}

/** X.690 §11.6: the elements of a set are in ascending order, and each is there once. */
export const assertOrder = (parts: readonly DerValue[]): void => {
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1]
    if (next !== undefined && compareBytes(part.bytes, next.bytes) >= 0) refuse('a set is not in order')
  }
}

/** X.690 §8.3.2: the first nine bits are not all equal. */
export const assertInteger = (content: Uint8Array): void => {
  const [first, second] = content
  if (first === undefined) return void refuse('an integer is empty')
  if (second !== undefined && first === (second < 0x80 ? 0x00 : 0xff))
    refuse('an integer is not in its shortest form')
}

const assertOid = (content: Uint8Array): void => {
  let isStart = true
  for (const octet of content) {
    if (isStart && octet === 0x80) refuse('an object identifier is not in its shortest form')
    isStart = octet < 0x80
  }
  if (content.length === 0 || !isStart) refuse('an object identifier ends early')
}

const assertBits = (content: Uint8Array): void => {
  const [unused = 8] = content
  const last = content.at(-1) ?? 0
  if (unused > 7 || (unused > 0 && content.length < 2) || (unused > 0 && (last & ((1 << unused) - 1)) !== 0))
    refuse('a bit string has bits that are not used')
}

const checks: Readonly<Partial<Record<number, (content: Uint8Array) => void>>> = {
  [tags.boolean]([value, ...more]) {
    if (more.length > 0 || (value !== 0x00 && value !== 0xff)) refuse('a boolean is neither true nor false')
  },
  [tags.integer]: assertInteger,
  [tags.bitString]: assertBits,
  [tags.null](content) {
    if (content.length > 0) refuse('a null has content')
  },
  [tags.oid]: assertOid,
}
