/** The search of the address, as the router read it. Anybody can write an address, so every value is checked. */
export type Read = Readonly<Record<string, unknown>>

export const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

/** The router reads numbers out of texts like `42`, so they are written as texts again. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, 200) || undefined
    : undefined
