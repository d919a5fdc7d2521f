/** Times in milliseconds, in any order. */
export type Times = {
  /** When something was wanted: a request was first sent, an entry was to be recorded. */
  readonly wanted: readonly number[]
  /** When something wanted was done. */
  readonly done: readonly number[]
}

/** From `fromMs` to `toMs` nothing was done, although something was wanted. */
export type Silence = { readonly fromMs: number; readonly toMs: number }

const ascending = (times: readonly number[]): number[] => times.toSorted((one, other) => one - other)

/** In order. Each begins when the last thing was done, or later when the next was wanted, if nothing else waited. */
export const silencesIn = (given: Times): readonly Silence[] => {
  const [wanted, done] = [ascending(given.wanted), ascending(given.done)]
  let asked = 0
  return done.flatMap((toMs, at) => {
    const lastMs = done[at - 1] ?? Number.NEGATIVE_INFINITY
    while (asked < wanted.length && (wanted[asked] ?? 0) <= lastMs) asked += 1
    const fromMs = asked > at ? lastMs : (wanted[asked] ?? toMs)
    return fromMs < toMs ? [{ fromMs, toMs }] : []
  })
}

export const lengthOf = ({ fromMs, toMs }: Silence): number => toMs - fromMs

export const longestOf = (silences: readonly Silence[]): Silence | undefined =>
  silences.reduce<Silence | undefined>(
    (longest, one) => (longest === undefined || lengthOf(one) > lengthOf(longest) ? one : longest),
    undefined,
  )
