import type { Row } from './row.ts'

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (found === undefined) throw new Error('There is nothing to take a percentile of')
  return found
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new Error('There is nothing to take a median of')
  return (lower + upper) / 2
}

/** The median of a number that each round gives: one disturbed round does not show. */
export const medianOf = <T>(rounds: readonly T[], number: (round: T) => number): number =>
  median(rounds.map(number))

/** A ratio with how far its rounds lie apart: a wide range says that the machine was not ours alone. */
export const ratioRow = <T>(what: string, rounds: readonly T[], ratio: (round: T) => number): Row => {
  const ratios = rounds.map(ratio)
  const range = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  return { what, value: median(ratios), unit: '×', note: range }
}

/**
 * Runs the variants in turn, round after round, so that whatever else the machine does meets all of them alike. The
 * first round only warms up and is dropped.
 */
export const inTurn = async <V extends Readonly<Record<string, () => Promise<unknown>>>>(
  variants: V,
  rounds = 3,
): Promise<readonly { readonly [K in keyof V]: Awaited<ReturnType<V[K]>> }[]> => {
  const results: Record<string, unknown>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const result: Record<string, unknown> = {}
    for (const [name, run] of Object.entries(variants)) result[name] = await run()
    results.push(result)
  }
  return results.slice(1) as { [K in keyof V]: Awaited<ReturnType<V[K]>> }[]
}
