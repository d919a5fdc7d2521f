export type Unit = '×' | 'ms' | 's' | 'µs' | 'MB' | '/s'
export type Goal = { readonly atMost: number } | { readonly atLeast: number }

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

export type Rate = { readonly perSecond: number; readonly cpuMicroseconds: number | undefined }
type More = Pick<Row, 'goal' | 'note'>

/** Every row is shown as soon as it is reported, even if the measurement fails later. */
export type Report = {
  readonly value: (label: string, value: number, unit: Exclude<Unit, '/s'>, more?: More) => void
  /** A rate always comes with the processor time of one unit. */
  readonly rate: (label: string, rate: Rate, more?: More) => void
  /** Processor time of one call, in microseconds. */
  readonly cpu: (label: string, microseconds: number, unit: 'µs' | 'ms', more?: More) => void
  /** The median of the ratios of all rounds. A wide range says that the machine was busy with something else. */
  readonly ratio: (label: string, ratios: readonly number[], more?: More) => void
  /** For a measurement, or a part of it, that needs something which is not there. */
  readonly skip: (reason: string) => void
}

export type Bench = {
  /** Empty, on a disk, and removed afterwards. */
  readonly folder: string
  readonly report: Report
}

export const isMet = ({ value = Number.NaN, goal }: Row): boolean | undefined => {
  if (goal === undefined) return undefined
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast
}
