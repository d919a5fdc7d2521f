import type { JsonValue } from '@millseal/proof/verifier'

export type Difference = {
  /** Names of fields, from the outside to the inside. */
  readonly field: string
  /** Undefined if the field is missing. */
  readonly notarized: string | undefined
  readonly here: string | undefined
}

const shown = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : JSON.stringify(value)

const isNested = (value: JsonValue | undefined): value is JsonValue[] | { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null

/** All values of a certificate with their fields. */
export const valuesOf = (
  value: JsonValue,
  field: readonly string[] = [],
): readonly (readonly [string, string | undefined])[] =>
  isNested(value)
    ? Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, [...field, key]))
    : [[field.join(' › '), shown(value)]]

/** The fields in which a file differs from the notarized certificate, in the order of the latter. */
export const differencesOf = (
  notarized: JsonValue | undefined,
  here: JsonValue | undefined,
  field: readonly string[] = [],
): readonly Difference[] => {
  if (isNested(notarized) && isNested(here) && Array.isArray(notarized) === Array.isArray(here)) {
    const [one, other] = [new Map(Object.entries(notarized)), new Map(Object.entries(here))]
    return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
      differencesOf(one.get(key), other.get(key), [...field, key]),
    )
  }
  const [before, now] = [shown(notarized), shown(here)]
  return before === now && isNested(notarized) === isNested(here)
    ? []
    : [{ field: field.join(' › '), notarized: before, here: now }]
}
