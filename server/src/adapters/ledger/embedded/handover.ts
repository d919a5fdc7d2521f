import { randomUUID } from 'node:crypto'
import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import { sql } from 'kysely'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'
import type { Outcome } from './batches.ts'
import { channelOf } from './channels.ts'
import { readVerifiedEntry, writeEntry } from './entry.ts'

/** How processes that do not write the log give to the one that does, by a table: a lost message costs a moment, no more. */
export type Handover = {
  /** Resolves when the writer has decided, whoever that is by then. */
  submit(transaction: SignedTransaction, signal: AbortSignal): Promise<Outcome>
  /** Tells those who wait here what was decided meanwhile. */
  collect(): Promise<void>
  /** Lets those go who wait here: whether what they want is written, nobody knows. */
  abandon(reason: Error): void
  /** For the writer: gives what waits to `submit`, and resolves when what became of it is written down. */
  serve(submit: (transaction: SignedTransaction) => Promise<Outcome>): Promise<void>
}

type Decided = Stored<Outcome> | { readonly refused: string; readonly reason: 'invalid' | 'conflict' }
/** As JSON keeps it. */
type Stored<T> = T extends { readonly timestamp: Date }
  ? Omit<T, 'timestamp'> & { readonly timestamp: string }
  : T
type Decision = { readonly id: string; readonly outcome: Decided }
type Waiting = {
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

const maxFound = 1_024
const keptMs = 3_600_000

export const createHandover = ({
  mode,
  database: { query },
  clock,
}: {
  readonly mode: Mode
  readonly database: Database
  readonly clock: Clock
}): Handover => {
  const waiting = new Map<string, Waiting>()
  const inService = new Set<string>()

  return {
    async submit(transaction, signal) {
      const unanswered = 'The process that writes the ledger did not answer in time'
      if (signal.aborted) throw new LedgerUnavailable(unanswered)
      const id = randomUUID()
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      // An answer may come before the statement that hands over has returned.
      promise.catch(() => {})
      waiting.set(id, { resolve, reject })
      const giveUp = () => reject(new LedgerUnavailable(unanswered))
      signal.addEventListener('abort', giveUp)
      try {
        await putDown(query, { id, mode, transaction, at: new Date(clock.now()) })
        return await promise
      } finally {
        signal.removeEventListener('abort', giveUp)
        waiting.delete(id)
      }
    },
    async collect() {
      if (waiting.size === 0) return
      for (const { id, outcome } of await findDecided(query, [...waiting.keys()])) {
        if ('refused' in outcome)
          waiting.get(id)?.reject(new TransactionRefused(outcome.refused, outcome.reason))
        else waiting.get(id)?.resolve(asOutcome(outcome))
      }
    },
    abandon(reason) {
      for (const { reject } of waiting.values()) reject(reason)
    },
    async serve(submit) {
      const found = await findWaiting(query, mode)
      // Several calls may be under way: each row is served by one of them.
      const rows = found.filter(({ id }) => !inService.has(id))
      for (const { id } of rows) inService.add(id)
      try {
        const decided = await Promise.all(rows.map((row) => decide(row, submit)))
        const known = decided.filter((decision) => decision !== undefined)
        if (known.length === 0) return
        await writeDown(query, { mode, decided: known, staleBefore: new Date(clock.now() - keptMs) })
      } finally {
        for (const { id } of rows) inService.delete(id)
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

type NewSubmission = {
  readonly id: string
  readonly mode: Mode
  readonly transaction: SignedTransaction
  readonly at: Date
}

const putDown = async (query: Query, { id, mode, transaction, at }: NewSubmission): Promise<void> => {
  await sql`
    with added as (
      insert into ledger_submissions (id, mode, transaction, created_at)
      values (${id}, ${mode}, ${Buffer.from(writeEntry(transaction))}, ${at}) returning id)
    select pg_notify(${channelOf(mode, 'submitted')}, '') from added`.execute(query)
}

/** More than are served at once, so that those in service do not hide others. */
const findWaiting = async (query: Query, mode: Mode): Promise<readonly SubmissionRow[]> => {
  const { rows } = await sql<SubmissionRow>`
    select id, transaction from ledger_submissions
    where mode = ${mode} and outcome is null order by created_at limit ${maxFound}`.execute(query)
  return rows
}

const writeDown = async (
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

/** Undefined where nobody knows yet: it stays in the table and is served again, by whoever writes then. */
const decide = async (
  { id, transaction }: SubmissionRow,
  submit: (transaction: SignedTransaction) => Promise<Outcome>,
): Promise<Decision | undefined> => {
  try {
    const outcome = await submit(readSubmission(transaction))
    return {
      id,
      outcome: outcome.isNew ? { ...outcome, timestamp: outcome.timestamp.toISOString() } : outcome,
    }
  } catch (error) {
    if (!(error instanceof TransactionRefused)) return undefined
    return { id, outcome: { refused: error.message, reason: error.reason } }
  }
}

const asOutcome = (stored: Stored<Outcome>): Outcome =>
  stored.isNew ? { ...stored, timestamp: new Date(stored.timestamp) } : stored

/** Verified again: a row of a table is not believed. */
const readSubmission = (bytes: Uint8Array): SignedTransaction => {
  try {
    return readVerifiedEntry(bytes)
  } catch (cause) {
    throw new TransactionRefused(cause instanceof Error ? cause.message : String(cause))
  }
}

type SubmissionRow = { readonly id: string; readonly transaction: Buffer }
