import type { Cost, Latency, Rate } from './rounds.ts'

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

/** Every row is shown as soon as it is reported, even if the measurement fails later. */
export type Report = {
  readonly value: (label: string, value: number, unit: Exclude<Unit, '/s'>, more?: More) => void
  /** A rate always comes with the processor time of one unit. */
  readonly rate: (label: string, rate: Rate, more?: More) => void
  readonly cpu: (label: string, cost: Cost, unit: 'µs' | 'ms', more?: More) => void
  /** Two rows, with their goals in milliseconds; the first has the processor time if it is known. */
  readonly latency: (label: string, latency: Latency & Partial<Cost>, more?: Goals) => void
  /** The median of the ratios of all rounds. A wide range says that the machine was busy with something else. */
  readonly ratio: (label: string, ratios: readonly number[], more?: More) => void
}

export type Bench = {
  /** Empty, on a disk, and removed afterwards. */
  readonly folder: string
  readonly report: Report
}

/** Thrown if something is missing that is not part of the project. */
export class Skipped extends Error {}
