import { concatBytes } from '../encoding/bytes.ts'

/** The part of DER that conditions and fulfillments need: short tags, definite lengths. */
export const encodeDer = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const length = parts.reduce((total, part) => total + part.length, 0)
  return concatBytes(Uint8Array.of(tag, ...lengthOctets(length)), ...parts)
}

const lengthOctets = (length: number): readonly number[] => {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

/** Not negative: a leading zero clears the sign bit. */
export const derInteger = (value: number): Uint8Array => {
  const octets: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Uint8Array.from((octets[0] ?? 0x80) >= 0x80 ? [0, ...octets] : octets)
}

type Element = { readonly tag: number; readonly content: Uint8Array }

/** Callers must encode the result again and compare, because this accepts encodings that are not canonical. */
export const readDer = (bytes: Uint8Array): readonly Element[] => {
  const elements: Element[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at]
    const first = bytes[at + 1]
    if (tag === undefined || first === undefined) throw new SyntaxError('Truncated DER')
    const longLength = first >= 0x80 ? first - 0x80 : 0
    if (longLength > 2) throw new SyntaxError('DER element too long')
    const start = at + 2 + longLength
    const length =
      longLength === 0
        ? first
        : bytes.subarray(at + 2, start).reduce((value, octet) => (value << 8) | octet, 0)
    if (start + length > bytes.length) throw new SyntaxError('Truncated DER')
    elements.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return elements
}

/** Expects exactly these tags in this order. */
export const readFields = (bytes: Uint8Array, ...tags: readonly number[]): readonly Uint8Array[] => {
  const elements = readDer(bytes)
  if (elements.length !== tags.length || elements.some(({ tag }, at) => tag !== tags[at]))
    throw new SyntaxError('Unexpected DER structure')
  return elements.map(({ content }) => content)
}

export const readInteger = (content: Uint8Array): number => {
  if (content.length > 5) throw new SyntaxError('Integer out of range')
  return content.reduce((value, octet) => value * 256 + octet, 0)
}
