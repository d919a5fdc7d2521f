import { type Cost, type Latency, median, type Rate } from './rounds.ts'

type Unit = '×' | 'ms' | 's' | 'µs' | 'MB' | '/s'
type Goal = { readonly atMost: number } | { readonly atLeast: number }

/** One line of the table. Without a value it says why there is none. */
export type Row = {
  readonly measurement: string
  /** What is measured, in plain words. */
  readonly label: string
  readonly value?: number | undefined
  readonly unit?: Unit | undefined
  /** Processor time of one unit, in microseconds. */
  readonly cpuPerUnit?: number | undefined
  /** The same in Ed25519 verifications of this machine at this time. */
  readonly normalised?: number | undefined
  readonly goal?: Goal | undefined
  readonly note?: string | undefined
  readonly failed?: true
}

type More = Pick<Row, 'goal' | 'note'>
type Goals = { readonly p50?: number; readonly p99?: number; readonly note?: string }

/** Every row is sent as soon as it is reported, even if the measurement fails later. */
export const createReport = (oneVerify: number, send: (row: Omit<Row, 'measurement'>) => void) => {
  // Where there is no /proc, nothing is known of processor time and memory.
  const known = (number: number) => (Number.isNaN(number) ? undefined : number)
  const put = (label: string, number: number, more: Partial<Row>, cpu = Number.NaN): void =>
    send({ label, value: known(number), cpuPerUnit: known(cpu), normalised: known(cpu / oneVerify), ...more })
  return {
    value: (label: string, number: number, unit: Exclude<Unit, '/s'>, more: More = {}): void =>
      put(label, number, { unit, ...more }),
    /** A rate always comes with the processor time of one unit. */
    rate: (label: string, { perSecond, cpuMicroseconds }: Rate, more: More = {}): void =>
      put(label, perSecond, { unit: '/s', ...more }, cpuMicroseconds),
    cpu: (label: string, { cpuMicroseconds: cost }: Cost, unit: 'µs' | 'ms', more: More = {}): void =>
      put(label, unit === 'ms' ? cost / 1_000 : cost, { unit, ...more }, cost),
    /** With goals in milliseconds. The p99 has a row of its own if it has a goal, and is in the note otherwise. */
    latency: (label: string, latency: Latency & Partial<Cost>, { p50, p99, note }: Goals = {}): void => {
      const { p50Ms, p99Ms, cpuMicroseconds } = latency
      const goal = p50 === undefined ? undefined : { atMost: p50 }
      const notes = [
        ...(p99 === undefined ? [`p99 ${p99Ms.toFixed(1)} ms`] : []),
        ...(note === undefined ? [] : [note]),
      ]
      put(`${label}, p50`, p50Ms, { unit: 'ms', goal, note: notes.join('; ') }, cpuMicroseconds)
      if (p99 !== undefined) put('… p99', p99Ms, { unit: 'ms', goal: { atMost: p99 } })
    },
    /** The median of the ratios of all rounds. A wide range says that the machine was busy with something else. */
    ratio: (label: string, ratios: readonly number[], more: More = {}): void => {
      const note = `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      put(label, median(ratios), { unit: '×', note, ...more })
    },
  }
}

export type Report = ReturnType<typeof createReport>

export type Bench = {
  /** Empty, on a disk, and removed afterwards. */
  readonly folder: string
  readonly report: Report
}

/** Thrown if something is missing that is not part of the project. */
export class Skipped extends Error {}
