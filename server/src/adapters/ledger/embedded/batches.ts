import type { VerifiedTransaction } from '@millseal/proof'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import type { Appender } from './appender.ts'

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

type Waiting = {
  readonly transaction: VerifiedTransaction
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

const maxBatch = 256

export const createBatches = (
  appender: Pick<Appender, 'append'>,
  onFailure: (error: unknown) => void,
): Batches => {
  const waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let closedBecause: Error | undefined

  const rejectAll = (all: readonly Waiting[], reason: Error): void => {
    for (const { reject } of all) reject(reason)
  }
  const writeBatch = async (batch: readonly Waiting[]): Promise<boolean> => {
    try {
      settle(batch, await appender.append(batch.map(({ transaction }) => transaction)))
      return closedBecause === undefined
    } catch (cause) {
      rejectAll(batch, fail(cause))
      return false
    }
  }
  const fail = (cause: unknown): LedgerUnavailable => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = new LedgerUnavailable(`The ledger could not write: ${reason}`, { cause })
    closedBecause = error
    onFailure(cause)
    return error
  }
  const run = async (): Promise<void> => {
    while (waiting.length > 0 && (await writeBatch(waiting.splice(0, maxBatch))));
    if (closedBecause !== undefined) rejectAll(waiting.splice(0), closedBecause)
    // In the same tick as the last check of `waiting`: a later submission starts the next run.
    running = undefined
  }
  return {
    submit(transaction) {
      if (closedBecause !== undefined) return Promise.reject(closedBecause)
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      waiting.push({ transaction, resolve, reject })
      // Submissions of the same tick go into one batch.
      running ??= Promise.resolve().then(run)
      return promise
    },
    whenIdle(work) {
      if (closedBecause === undefined) running ??= work().catch(fail).then(run)
    },
    async close() {
      closedBecause ??= new LedgerUnavailable('The ledger is closing')
      await running
      rejectAll(waiting.splice(0), closedBecause)
    },
  }
}

const settle = (
  batch: readonly Waiting[],
  { verdicts, block }: Awaited<ReturnType<Appender['append']>>,
): void => {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const verdict = verdicts[at]
    if (verdict?.kind === 'known') resolve({ index: verdict.index, isNew: false })
    else if (verdict?.kind === 'refused' || verdict?.kind === 'postponed') reject(verdict.error)
    else if (verdict !== undefined && block !== undefined) {
      const { firstIndex, height, committedAt } = block
      resolve({ isNew: true, index: firstIndex + verdict.at, height, timestamp: committedAt })
    }
  }
}
