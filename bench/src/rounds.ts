import { setTimeout as pause } from 'node:timers/promises'
import { cpuSecondsOf } from '../../server/test/process-usage.ts'

export type Cost = { readonly cpuMicroseconds: number }
/** Processor time is that of the server, or of this process and its database. */
export type Rate = Cost & { readonly perSecond: number }
export type Latency = { readonly p50Ms: number; readonly p99Ms: number }
type Numbers = Readonly<Record<string, number>>

/**
 * Runs the variants alternately, so that other work on the machine slows all of them alike. The first round only warms
 * up. Resolves with the median of every number of the other rounds, and with ratios of each round.
 */
export const alternate = async <R extends Readonly<Record<string, Numbers>>>(
  variants: { readonly [K in keyof R]: () => Promise<R[K]> },
  count = 3,
): Promise<{ readonly medians: R; readonly ratios: (of: (round: R) => number) => number[] }> => {
  const rounds: R[] = []
  for (let round = 0; round <= count; round += 1) {
    const results: Record<string, Numbers> = {}
    for (const [name, run] of Object.entries(variants)) results[name] = await run()
    if (round > 0) rounds.push(results as R)
  }
  const medians = mapEntries(rounds[0] ?? {}, (variant, one) =>
    mapEntries(one, (name) => median(rounds.map((round) => round[variant]?.[name] ?? Number.NaN))),
  )
  return { medians: medians as R, ratios: (of) => rounds.map(of) }
}

const mapEntries = <T, U>(object: Readonly<Record<string, T>>, map: (name: string, value: T) => U) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]))

/** The rate of work that resolves with how many units it did. */
export const rateOf = async (work: () => Promise<number>, pid = process.pid): Promise<Rate> => {
  const cpuBefore = cpuSecondsOf(pid)
  const startedAt = performance.now()
  const count = await work()
  const perSecond = (count * 1_000) / (performance.now() - startedAt)
  return { perSecond, cpuMicroseconds: ((cpuSecondsOf(pid) - cpuBefore) * 1_000_000) / count }
}

/** Repeats work for `ms` or so many `times`, so many at once. With `perSecond`, late work counts from when it was due. */
export const repeat = async (
  work: (turn: number) => Promise<unknown>,
  { concurrent = 1, times = Infinity, ms = Infinity, perSecond = Infinity, pid = process.pid },
): Promise<Rate & Latency> => {
  const durations: number[] = []
  const startedAt = performance.now()
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < times && performance.now() < startedAt + ms) {
      const turn = next++
      const dueAt = perSecond === Infinity ? performance.now() : startedAt + (turn * 1_000) / perSecond
      if (dueAt >= startedAt + ms) return
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) await pause(waitMs)
      await work(turn)
      durations.push(performance.now() - dueAt)
    }
  }
  const rate = await rateOf(async () => {
    await Promise.all(Array.from({ length: concurrent }, lane))
    return durations.length
  }, pid)
  return { ...rate, ...latencyOf(durations) }
}

/** Processor time of one call. */
export const costOf = async (times: number, work: (turn: number) => unknown): Promise<Cost> => {
  const before = process.cpuUsage()
  for (let turn = 0; turn < times; turn += 1) await work(turn)
  const { user, system } = process.cpuUsage(before)
  return { cpuMicroseconds: (user + system) / times }
}

/**
 * Does one thing after the other, with a pause between. `act` resolves when its change is committed, and what follows
 * from it may arrive earlier than we hear of the commit: that counts as 0.
 */
export const arrivals = async (
  count: number,
  act: (turn: number, arrived: () => void) => Promise<unknown>,
): Promise<Latency> => {
  const latencies: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const { promise, resolve } = Promise.withResolvers<number>()
    await act(turn, () => resolve(performance.now()))
    const committedAt = performance.now()
    latencies.push(Math.max(0, (await promise) - committedAt))
    await pause(5)
  }
  return latencyOf(latencies)
}

export const latencyOf = (ms: readonly number[]): Latency => ({
  p50Ms: median(ms),
  p99Ms: percentile(ms, 0.99),
})

export const median = (values: readonly number[]): number => percentile(values, 0.5)

const percentile = (values: readonly number[], share: number): number => {
  const found = values.toSorted((one, other) => one - other)[Math.floor(values.length * share)]
  if (found === undefined) throw new Error('No values to take a percentile of')
  return found
}
