import { setTimeout as pause } from 'node:timers/promises'
import { cpuSecondsOf } from '../../server/test/process-usage.ts'
import type { Goal, Row, Unit } from './table.ts'

export type Cost = { readonly cpuMicroseconds: number }
/** Processor time is that of the server, or of this process and its database. */
export type Rate = Cost & { readonly perSecond: number }
export type Latency = { readonly p50Ms: number; readonly p99Ms: number }
type Numbers = Readonly<Record<string, number>>

/**
 * Runs the variants alternately, so that other work on the machine slows all of them alike. The first round only warms
 * up. Resolves with the median of every number of the other rounds, and with ratios of a number of two variants in each.
 */
export const alternate = async <R extends Readonly<Record<string, Numbers>>>(
  variants: { readonly [K in keyof R]: () => Promise<R[K]> },
  count = 3,
) => {
  const rounds: R[] = []
  for (let round = 0; round <= count; round += 1) {
    const results: Record<string, Numbers> = {}
    for (const [name, run] of Object.entries(variants)) results[name] = await run()
    if (round > 0) rounds.push(results as R)
  }
  const numberOf = (round: R, variant: string, name: string) => round[variant]?.[name] ?? Number.NaN
  const medians: Record<string, Numbers> = {}
  for (const [variant, numbers] of Object.entries(rounds[0] ?? {})) {
    const medianOf = (name: string) => median(rounds.map((round) => numberOf(round, variant, name)))
    medians[variant] = Object.fromEntries(Object.keys(numbers).map((name) => [name, medianOf(name)]))
  }
  type Name = keyof R & string
  const ratios = <A extends Name, B extends Name>(one: A, other: B, of: keyof R[A] & keyof R[B] & string) =>
    rounds.map((round) => numberOf(round, one, of) / numberOf(round, other, of))
  return { medians: medians as R, ratios }
}

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
 * Does one thing after the other, with a pause between. `act` resolves when its change is committed, and `hear` when what
 * follows from it arrives. That may be earlier than we hear of the commit, and counts as 0.
 */
export const arrivals = async (
  count: number,
  act: (turn: number) => Promise<unknown>,
  hear: () => Promise<unknown>,
): Promise<Latency> => {
  const latencies: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const arrivedAt = hear().then(() => performance.now())
    await act(turn)
    const committedAt = performance.now()
    latencies.push(Math.max(0, (await arrivedAt) - committedAt))
    await pause(5)
  }
  return latencyOf(latencies)
}

export const latencyOf = (ms: readonly number[]) => ({ p50Ms: median(ms), p99Ms: percentile(ms, 0.99) })

export const median = (values: readonly number[]): number => percentile(values, 0.5)

const percentile = (values: readonly number[], share: number): number => {
  const found = values.toSorted((one, other) => one - other)[Math.floor(values.length * share)]
  if (found === undefined) throw new Error('No values to take a percentile of')
  return found
}

type More = Goal & { readonly note?: string }

/** Every row is sent as soon as it is reported, even if the measurement fails later. */
export const createReport = (oneVerify: number, send: (row: Omit<Row, 'measurement'>) => void) => {
  // Where there is no /proc, nothing is known of processor time and memory.
  const known = (number: number) => (Number.isNaN(number) ? undefined : number)
  const put = (
    label: string,
    number: number,
    { atMost, atLeast, ...more }: More & { readonly unit: Unit },
    cpu = Number.NaN,
  ) => {
    const goal = atMost === undefined && atLeast === undefined ? undefined : { atMost, atLeast }
    const costs = { cpuPerUnit: known(cpu), normalised: known(cpu / oneVerify) }
    send({ label, value: known(number), ...costs, goal, ...more })
  }
  return {
    value: (label: string, number: number, unit: Exclude<Unit, '/s'>, more: More = {}): void =>
      put(label, number, { unit, ...more }),
    /** A rate always comes with the processor time of one unit. */
    rate: (label: string, { perSecond, cpuMicroseconds }: Rate, more: More = {}): void =>
      put(label, perSecond, { unit: '/s', ...more }, cpuMicroseconds),
    cpu: (label: string, { cpuMicroseconds: cost }: Cost, unit: 'µs' | 'ms', more: More = {}): void =>
      put(label, unit === 'ms' ? cost / 1_000 : cost, { unit, ...more }, cost),
    /** With goals in milliseconds. The p99 has a row of its own if it has a goal, and is in the note otherwise. */
    latency: (
      label: string,
      latency: Latency & Partial<Cost>,
      { p50, p99, note }: { readonly p50?: number; readonly p99?: number; readonly note?: string } = {},
    ): void => {
      const { p50Ms, p99Ms, cpuMicroseconds } = latency
      const notes = [p99 === undefined && `p99 ${p99Ms.toFixed(1)} ms`, note].filter(Boolean).join('; ')
      put(`${label}, p50`, p50Ms, { unit: 'ms', atMost: p50, note: notes }, cpuMicroseconds)
      if (p99 !== undefined) put('… p99', p99Ms, { unit: 'ms', atMost: p99 })
    },
    /** The median of the ratios of all rounds. A wide range says that the machine was busy with something else. */
    ratio: (label: string, ratios: readonly number[], goal: Goal = {}): void => {
      const note = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      put(label, median(ratios), { unit: '×', note, ...goal })
    },
  }
}

export type Bench = {
  /** Empty, on a disk, and removed afterwards. */
  readonly folder: string
  readonly report: ReturnType<typeof createReport>
}

/** Thrown if something is missing that is not part of the project. */
export class Skipped extends Error {}
