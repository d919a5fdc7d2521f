import { randomUUID } from 'node:crypto'
import type { Mode } from '@millseal/contract'
import { JsonError, type VerifiedTransaction } from '@millseal/proof'
import { type Selectable, sql } from 'kysely'
import type { Reason } from '@millseal/contract/reasons'
import type { Clock } from '../../../ports/clock/clock.ts'
import { type Database, type Query } from '../../../ports/database/database.ts'
import type { LedgerSubmissions } from '../../../ports/database/tables.ts'
import { LedgerStopped, LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import type { Outcome } from './batches.ts'
import { channelOf } from './channels.ts'
import { readSubmission, writeSubmission } from './entry.ts'
import type { Verifier } from './verifier.ts'

/** A table through which the other processes submit transactions to the writer. A lost notification only costs time. */
export type SubmissionQueue = {
  /** Resolves when the writer has decided, even if another process has become the writer by then. */
  submit(transaction: VerifiedTransaction, signal: AbortSignal): Promise<Outcome>
  /** Settles the submissions of this process that were decided. */
  collect(): Promise<void>
  /** Rejects the submissions of this process. Whether they are written is unknown. */
  abandon(reason: Error): void
  /** For the writer: passes pending submissions to `submit`. Resolves when their outcomes are stored. */
  serve(submit: (transaction: VerifiedTransaction) => Promise<Outcome>): Promise<void>
}

type Decided =
  | Stored<Outcome>
  | { readonly stopped: string }
  | {
      readonly refused: string
      readonly reason: 'invalid' | 'conflict'
      /** Missing from a process of an older release. */
      readonly because?: Reason
    }
/** As stored in JSON. */
type Stored<T> = T extends { readonly timestamp: Date }
  ? Omit<T, 'timestamp'> & { readonly timestamp: string }
  : T
type Decision = { readonly id: string; readonly outcome: Decided }
type Pending = Pick<Selectable<LedgerSubmissions>, 'id' | 'transaction'>
type Caller = {
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

/** More than are in progress at once, so that those do not hide others. */
const maxPending = 1_024
const retentionMs = 3_600_000

type QueueDependencies = {
  readonly mode: Mode
  readonly database: Database
  readonly clock: Clock
  readonly verifier: Verifier
}

export const createSubmissionQueue = ({
  mode,
  database: { query },
  clock,
  verifier,
}: QueueDependencies): SubmissionQueue => {
  const callers = new Map<string, Caller>()
  const inProgress = new Set<string>()

  return {
    async submit(transaction, signal) {
      const unanswered = 'The process that writes the ledger did not answer in time'
      if (signal.aborted) throw new LedgerUnavailable(unanswered)
      const id = randomUUID()
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      // The answer may arrive before the insert has returned.
      promise.catch(() => {})
      callers.set(id, { resolve, reject })
      const giveUp = () => reject(new LedgerUnavailable(unanswered))
      signal.addEventListener('abort', giveUp)
      try {
        await insertSubmission(query, { id, mode, transaction, createdAt: new Date(clock.now()) })
        return await promise
      } finally {
        signal.removeEventListener('abort', giveUp)
        callers.delete(id)
      }
    },
    async collect() {
      if (callers.size === 0) return
      for (const { id, outcome } of await findDecided(query, [...callers.keys()])) {
        if ('refused' in outcome)
          callers.get(id)?.reject(new TransactionRefused(outcome.because ?? outcome.refused, outcome.reason))
        else if ('stopped' in outcome) callers.get(id)?.reject(new LedgerStopped(outcome.stopped))
        else callers.get(id)?.resolve(asOutcome(outcome))
      }
    },
    abandon(reason) {
      for (const { reject } of callers.values()) reject(reason)
    },
    async serve(submit) {
      const pending = await findPending(query, mode)
      // Calls may overlap: each row is served by one of them.
      const rows = pending.filter(({ id }) => !inProgress.has(id))
      for (const { id } of rows) inProgress.add(id)
      try {
        const decisions = await Promise.all(rows.map((row) => decide(row, { verifier, submit })))
        const decided = decisions.filter((decision) => decision !== undefined)
        if (decided.length === 0) return
        await storeDecisions(query, { mode, decided, staleBefore: new Date(clock.now() - retentionMs) })
      } finally {
        for (const { id } of rows) inProgress.delete(id)
      }
    },
  }
}

const findDecided = async (query: Query, ids: readonly string[]): Promise<readonly Decision[]> => {
  const { rows } = await sql<Decision>`
    select id, outcome from ledger_submissions
    where id = any(${[...ids]}::uuid[]) and outcome is not null`.execute(query)
  return rows
}

type NewSubmission = Pick<Selectable<LedgerSubmissions>, 'id' | 'createdAt'> & {
  readonly mode: Mode
  readonly transaction: VerifiedTransaction
}

const insertSubmission = async (
  query: Query,
  { id, mode, transaction, createdAt }: NewSubmission,
): Promise<void> => {
  await sql`
    with added as (
      insert into ledger_submissions (id, mode, transaction, created_at)
      values (${id}, ${mode}, ${writeSubmission(transaction)}, ${createdAt}) returning id)
    select pg_notify(${channelOf(mode, 'submitted')}, '') from added`.execute(query)
}

const findPending = (query: Query, mode: Mode): Promise<readonly Pending[]> =>
  query
    .selectFrom('ledgerSubmissions')
    .select(['id', 'transaction'])
    .where('mode', '=', mode)
    .where('outcome', 'is', null)
    .orderBy('createdAt')
    .limit(maxPending)
    .execute()

const storeDecisions = async (
  query: Query,
  {
    mode,
    decided,
    staleBefore,
  }: { readonly mode: Mode; readonly decided: readonly Decision[]; readonly staleBefore: Date },
): Promise<void> => {
  await sql`
    with decided as (
      update ledger_submissions s set outcome = d.outcome
      from jsonb_to_recordset(${JSON.stringify(decided)}) as d(id uuid, outcome jsonb)
      where s.id = d.id and s.outcome is null returning s.id),
    stale as (
      delete from ledger_submissions where mode = ${mode} and outcome is not null and created_at < ${staleBefore})
    select pg_notify(${channelOf(mode, 'answered')}, '') from decided limit 1`.execute(query)
}

/** Undefined if the outcome is unknown: the row stays pending and is served again by the next writer. */
const decide = async (
  { id, transaction }: Pending,
  {
    verifier,
    submit,
  }: {
    readonly verifier: Verifier
    readonly submit: (transaction: VerifiedTransaction) => Promise<Outcome>
  },
): Promise<Decision | undefined> => {
  try {
    const outcome = await submit(await verified(transaction, verifier))
    return {
      id,
      outcome: outcome.isNew ? { ...outcome, timestamp: outcome.timestamp.toISOString() } : outcome,
    }
  } catch (error) {
    if (error instanceof LedgerStopped) return { id, outcome: { stopped: error.message } }
    if (!(error instanceof TransactionRefused)) return undefined
    return { id, outcome: { refused: error.message, reason: error.reason, because: error.because } }
  }
}

const asOutcome = (stored: Stored<Outcome>): Outcome =>
  stored.isNew ? { ...stored, timestamp: new Date(stored.timestamp) } : stored

/** Verified again, because a row of a table can be changed. */
const verified = async (bytes: Uint8Array, verifier: Verifier): Promise<VerifiedTransaction> => {
  try {
    return await verifier.verify(readSubmission(bytes))
  } catch (cause) {
    throw cause instanceof JsonError ? new TransactionRefused(cause.message) : cause
  }
}
