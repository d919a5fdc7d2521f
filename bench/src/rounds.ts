import { setTimeout as pause } from 'node:timers/promises'
import { cpuSecondsOf } from './processes.ts'
import { median, percentile } from './statistics.ts'

/** Processor time is that of the server, or of this process and its database. */
export type Timed = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMicroseconds: number
}

type Round = Readonly<Record<string, number | Timed>>
type Variants<R extends Round> = { readonly [K in keyof R]: () => R[K] | Promise<R[K]> }

/**
 * Runs the variants alternately, so that other work on the machine slows all of them alike. The first round only warms
 * up. Resolves with the other rounds and with the median of every number in them.
 */
export const alternate = async <R extends Round>(
  variants: Variants<R>,
  count = 3,
): Promise<{ readonly rounds: readonly R[]; readonly median: R }> => {
  const rounds: Record<string, number | Timed>[] = []
  for (let round = 0; round <= count; round += 1) {
    const results: Record<string, number | Timed> = {}
    for (const [name, run] of Object.entries(variants)) results[name] = await run()
    rounds.push(results)
  }
  const kept = rounds.slice(1) as R[]
  return { rounds: kept, median: medians(kept) }
}

const medians = <T extends Round | Timed>(all: readonly T[]): T => {
  const names = Object.keys(all[0] ?? {})
  const medianOf = (name: string): number | Timed => {
    const values = all.map((one) => (one as Round)[name] as number | Timed)
    return typeof values[0] === 'number' ? median(values as number[]) : medians(values as Timed[])
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(name)])) as T
}

/** Repeats asynchronous work for `ms`, so many at a time. */
export const repeat = async (
  work: () => Promise<unknown>,
  { concurrent, ms }: { concurrent: number; ms: number },
): Promise<Timed> => {
  const durations: number[] = []
  const cpuBefore = cpuSecondsOf(process.pid)
  const startedAt = performance.now()
  const loop = async (): Promise<void> => {
    while (performance.now() < startedAt + ms) durations.push(await millisecondsOf(work))
  }
  await Promise.all(Array.from({ length: concurrent }, loop))
  return {
    perSecond: (durations.length * 1_000) / (performance.now() - startedAt),
    p50Ms: percentile(durations, 0.5),
    p99Ms: percentile(durations, 0.99),
    cpuMicroseconds: ((cpuSecondsOf(process.pid) - cpuBefore) * 1_000_000) / durations.length,
  }
}

export const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** The rate of one piece of work that does `count` units, with their processor time. */
export const rateOf = async (
  count: number,
  work: () => Promise<unknown>,
  pid = process.pid,
): Promise<{ readonly perSecond: number; readonly cpuMicroseconds: number }> => {
  const cpuBefore = cpuSecondsOf(pid)
  const ms = await millisecondsOf(work)
  const cpuMicroseconds = ((cpuSecondsOf(pid) - cpuBefore) * 1_000_000) / count
  return { perSecond: (count * 1_000) / ms, cpuMicroseconds }
}

/**
 * Does one thing after the other, with a pause between. `act` resolves when its change is committed, and what follows
 * from it may arrive earlier than we hear of the commit: that counts as 0.
 */
export const latenciesOf = async (
  count: number,
  act: (number: number, arrived: () => void) => Promise<unknown>,
): Promise<number[]> => {
  const latencies: number[] = []
  for (let number = 0; number < count; number += 1) {
    const arrival = Promise.withResolvers<number>()
    await act(number, () => arrival.resolve(performance.now()))
    const committedAt = performance.now()
    latencies.push(Math.max(0, (await arrival.promise) - committedAt))
    await pause(5)
  }
  return latencies
}

/** Processor time of one call, in microseconds: of this whole process, or of this thread alone. */
export const costOf = async (
  times: number,
  work: (turn: number) => unknown,
  usage: typeof process.cpuUsage = process.cpuUsage,
): Promise<number> => {
  const before = usage()
  for (let turn = 0; turn < times; turn += 1) {
    const result = work(turn)
    if (result instanceof Promise) await result
  }
  const { user, system } = usage(before)
  return (user + system) / times
}
