import type { JsonValue } from '@millseal/proof/verifier'
import { factAt, type Summary, summaryOf } from './summary.ts'

export type Difference = {
  /** The name on the paper. */
  readonly property: string
  /** Set for a field that the page has a word for. */
  readonly fact: keyof Summary | undefined
  /** The heat that the value is of. */
  readonly heat: string | undefined
  /** The value with its unit. Undefined if the field is missing. */
  readonly notarized: string | undefined
  readonly here: string | undefined
}

const isNested = (value: JsonValue | undefined): value is JsonValue[] | { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null

const shown = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** A value with the objects around it, from the outside to the inside. */
type Place = { readonly around: readonly JsonValue[]; readonly keys: readonly string[] }

const root: Place = { around: [], keys: [] }

const inside = ({ around, keys }: Place, one: JsonValue, key: string): Place => ({
  around: [...around, one],
  keys: [...keys, key],
})

/** The text or number that the nearest object around a value has by one of these names. */
const nearest = ({ around }: Place, names: readonly string[]): { text?: string; at: number } => {
  const textIn = (one: JsonValue | undefined): string | undefined =>
    isNested(one) && !Array.isArray(one)
      ? names.map((name) => one[name]).find((text) => typeof text === 'string')
      : undefined
  const at = around.findLastIndex((one) => textIn(one) !== undefined)
  const text = textIn(around[at])
  return text === undefined ? { at } : { text, at }
}

/** Names of fields that say nothing beside the name of a property. */
const plain = /^(?:\d+|(?:Actual|Formatted|Individual)?(?:Values?|Results?)|Actual|Measured)$/

/** `DateOfIssue` is `Date of issue`. Codes like B07 stay. */
const wordsOf = (key: string): string =>
  key.replaceAll(/(?<=[a-z])_?([A-Z])(?=[a-z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`)

const propertyOf = (place: Place): string => {
  const { text, at } = nearest(place, ['Symbol', 'PropertySymbol', 'Property', 'PropertyName'])
  const isNamed = text !== undefined && place.keys.at(-1) !== 'Symbol'
  const further = place.keys.slice(isNamed ? at + 1 : 0).filter((key) => !plain.test(key))
  return isNamed ? [text, ...further.map(wordsOf)].join(' ') : wordsOf(further.at(-1) ?? '')
}

/** The heat that the inspection around the value names, or the only one of the certificate. */
const heatOf = (place: Place): string | undefined => {
  const [certificate] = place.around
  const { heat } = summaryOf(certificate)
  if (heat !== undefined && !heat.includes(', ')) return heat
  return nearest(place, ['HeatNumber', 'Heat', 'C00']).text ?? heat
}

const withUnit = (value: JsonValue | undefined, place: Place): string | undefined => {
  const text = shown(value)
  const { text: unit } = nearest(place, ['Unit'])
  return text === undefined || unit === undefined || !/^[<>≤≥]?\s*-?[\d.,]+$/.test(text)
    ? text
    : `${text} ${unit}`
}

/** All values of a certificate with their names. */
export const valuesOf = (
  value: JsonValue,
  place: Place = root,
): readonly (readonly [string, string | undefined])[] =>
  isNested(value)
    ? Object.entries(value).flatMap(([key, one]) => valuesOf(one, inside(place, value, key)))
    : [[propertyOf(place), withUnit(value, place)]]

/** The fields in which a file differs from the notarized certificate, in the order of the latter. */
export const differencesOf = (
  notarized: JsonValue | undefined,
  here: JsonValue | undefined,
  place: Place = root,
): readonly Difference[] => {
  if (isNested(notarized) && isNested(here) && Array.isArray(notarized) === Array.isArray(here)) {
    const [one, other] = [new Map(Object.entries(notarized)), new Map(Object.entries(here))]
    return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
      differencesOf(one.get(key), other.get(key), inside(place, notarized, key)),
    )
  }
  const [before, now] = [shown(notarized), shown(here)]
  if (before === now && isNested(notarized) === isNested(here)) return []
  return [
    {
      property: propertyOf(place),
      fact: factAt(place.keys),
      heat: heatOf(place),
      notarized: withUnit(notarized, place),
      here: withUnit(here, place),
    },
  ]
}
