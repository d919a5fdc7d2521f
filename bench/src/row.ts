/** One line of the table: a number with its unit, and what it was hoped to be. */
export type Row = {
  readonly what: string
  readonly value: number
  readonly unit: '×' | 'ms' | 's' | 'µs' | 'MB' | '/s'
  readonly goal?: Goal
  readonly note?: string
}

export type Goal = { readonly atMost: number } | { readonly atLeast: number }

/** A named group of rows that is measured together; `--only` picks one by its name. */
export type Measurement = {
  readonly name: string
  /** For one that takes longer than a run may: it is measured only when it is asked for by its name. */
  readonly deadlineMs?: number
  readonly measure: (workshop: Workshop) => Promise<readonly Row[]>
}

/** What measurements share: folders that are removed, processes that are stopped, and servers started at most once. */
export type Workshop = {
  /** Where whatever was opened for the whole run is given back. */
  readonly closing: AsyncDisposableStack
  readonly folder: (name: string) => Promise<string>
  readonly say: (text: string) => void
  /** Signed in, so that `token` opens it; `limited` counts calls against a limit nobody reaches. */
  readonly server: (limits: 'unlimited' | 'limited') => Promise<SignedInServer>
}

export type SignedInServer = { readonly url: string; readonly pid: number; readonly token: string }

export const isMet = ({ value, goal }: Row): boolean | undefined => {
  if (goal === undefined) return undefined
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast
}
