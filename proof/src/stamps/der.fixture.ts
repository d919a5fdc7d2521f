import { concatBytes } from '../encoding/bytes.ts'
import { encodeDer } from '../ledger/der.ts'
import type { DerValue } from './der.ts'
import { StampRefused } from './stamp-refused.ts'

export const attempt = <T>(work: () => T): T | StampRefused => {
  try {
    return work()
  } catch (error) {
    if (error instanceof StampRefused) return error
    throw error
  }
}

export const valuesIn = (value: DerValue): readonly DerValue[] => [value, ...value.parts.flatMap(valuesIn)]

export const writeAgain = (
  value: DerValue,
  change?: {
    readonly place: DerValue
    readonly longer: (tag: number, content: Uint8Array) => Uint8Array
  },
): Uint8Array => {
  const content =
    (value.tag & 0x20) === 0 ? [value.content] : value.parts.map((part) => writeAgain(part, change))
  return change?.place === value
    ? change.longer(value.tag, concatBytes(...content))
    : encodeDer(value.tag, ...content)
}

export const longerLength = (tag: number, content: Uint8Array): Uint8Array =>
  Uint8Array.from([tag, 0x83, 0, content.length >> 8, content.length & 0xff, ...content])

export const indefiniteLength = (tag: number, content: Uint8Array): Uint8Array =>
  Uint8Array.from([tag | 0x20, 0x80, ...content, 0, 0])
