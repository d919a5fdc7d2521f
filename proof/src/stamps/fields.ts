import { encodeHex } from '../encoding/hex.ts'
import { assertInteger, type DerValue, tags } from './der.ts'
import { StampRefused } from './stamp-refused.ts'

/** The fields of a value in their order. Each call takes the next one, and throws `StampRefused` if it has another tag. */
export type Fields = {
  take(tag: number): DerValue
  /** Undefined, and nothing is taken, if the next field has another tag. */
  takeIf(tag: number): DerValue | undefined
  /** Throws if there is another field. */
  end(): void
}

/** `what` names the value for people. */
export const openFields = (value: DerValue, what: string, tag: number = tags.sequence): Fields => {
  const fault = (): StampRefused => new StampRefused(`The time stamp has an unusable ${what}`)
  if (value.tag !== tag) throw fault()
  let at = 0
  const takeIf = (wanted: number): DerValue | undefined => {
    const next = value.parts[at]
    if (next?.tag !== wanted) return undefined
    at += 1
    return next
  }
  return {
    takeIf,
    take(wanted) {
      const next = takeIf(wanted)
      if (next === undefined) throw fault()
      return next
    },
    end() {
      if (at < value.parts.length) throw fault()
    },
  }
}

/** The only field of a value. */
export const onlyField = (
  value: DerValue,
  what: string,
  { of, is }: { readonly of: number; readonly is: number },
) => {
  const fields = openFields(value, what, of)
  const field = fields.take(is)
  fields.end()
  return field
}

/** The hex of its content: each object identifier has only one. */
export const oidOf = ({ content }: DerValue): string => encodeHex(content)

/** The content of an object identifier in dotted decimal form, in hex. */
export const oid = (dotted: string): string => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return [first * 40 + second, ...rest].map(base128).join('')
}

const base128 = (value: number): string => {
  const octets = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    octets.unshift((rest % 128) + 128)
  return encodeHex(Uint8Array.from(octets))
}

/** Not negative. Also of a field with an implicit tag. */
export const unsignedOf = ({ content }: DerValue, what: string): bigint => {
  assertInteger(content)
  if ((content[0] ?? 0) >= 0x80) throw new StampRefused(`The time stamp has an unusable ${what}`)
  return BigInt(`0x${encodeHex(content)}`)
}

export const smallOf = (value: DerValue, what: string): number => {
  const number = unsignedOf(value, what)
  if (number > 0xffff_ffffn) throw new StampRefused(`The time stamp has an unusable ${what}`)
  return Number(number)
}

/** The bytes of a bit string of whole bytes. */
export const wholeBytesOf = ({ content }: DerValue, what: string): Uint8Array => {
  if (content[0] !== 0) throw new StampRefused(`The time stamp has an unusable ${what}`)
  return content.subarray(1)
}
