import type { VerifiedTransaction } from '@millseal/proof'
import { inGroups } from '../../../lib/in-groups.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import type { Appended, Appender } from './appender.ts'

/** The place of the new entry, or of the existing one. */
export type Outcome =
  | { readonly isNew: true; readonly index: number; readonly height: number; readonly timestamp: Date }
  | { readonly isNew: false; readonly index: number }

/** Collects submissions into the next batch while one is being written. An idle log writes at once. */
export type Batches = {
  /** Rejects with `TransactionRefused`, or with `LedgerUnavailable` if the outcome is unknown. */
  submit(transaction: VerifiedTransaction): Promise<Outcome>
  /** Runs `work` now, unless a batch is being written. */
  whenIdle(work: () => Promise<void>): void
  /** Resolves when the batch in progress is finished. Other submissions are rejected. */
  close(): Promise<void>
}

const maxBatch = 256

export const createBatches = (
  appender: { readonly append: Appender['append'] },
  onFailure: (error: unknown) => void,
): Batches => {
  let running: Promise<unknown> | undefined
  let closedBecause: Error | undefined

  const untilFailure = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closedBecause !== undefined) throw closedBecause
    try {
      return await work()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      closedBecause = new LedgerUnavailable(`The ledger could not write: ${reason}`, { cause })
      onFailure(cause)
      throw closedBecause
    }
  }
  /** One at a time, until one fails. */
  const exclusively = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = running
    const { promise, resolve } = Promise.withResolvers<void>()
    running = promise
    await before
    try {
      return await untilFailure(work)
    } finally {
      if (running === promise) running = undefined
      resolve()
    }
  }
  const append = inGroups(
    (batch: readonly VerifiedTransaction[]) =>
      exclusively(async () => outcomesOf(batch, await appender.append(batch))),
    { most: maxBatch, ifItFails: 'reject all' },
  )
  return {
    async submit(transaction) {
      if (closedBecause !== undefined) throw closedBecause
      const outcome = await append(transaction)
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    whenIdle(work) {
      // Its failure is reported by `onFailure`.
      if (running === undefined) exclusively(work).catch(() => {})
    },
    async close() {
      closedBecause ??= new LedgerUnavailable('The ledger is closing')
      await running
    },
  }
}

const outcomesOf = (
  batch: readonly VerifiedTransaction[],
  { verdicts, block }: Appended,
): readonly (Outcome | Error)[] =>
  batch.map((_, at) => {
    const verdict = verdicts[at]
    if (verdict?.kind === 'known') return { index: verdict.index, isNew: false }
    if (verdict?.kind === 'refused' || verdict?.kind === 'postponed') return verdict.error
    if (verdict === undefined || block === undefined)
      return new LedgerUnavailable('The ledger did not say what it wrote')
    const { firstIndex, height, committedAt } = block
    return { isNew: true, index: firstIndex + verdict.at, height, timestamp: committedAt }
  })
