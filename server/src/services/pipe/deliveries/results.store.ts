import { type Selectable, sql } from 'kysely'
import { bytesArray } from '../../../ports/database/bytes-array.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { HookAttempts, Hooks } from '../../../ports/database/tables.ts'
import { healthy } from '../hooks/hooks.store.ts'

export type Attempt = Selectable<HookAttempts>

export type Outcome = {
  readonly recordId: string
  readonly claim: string
  readonly delivered: boolean
  readonly attempts: number
  readonly error: string | null
  readonly reasons: string | null
  readonly errorStatus: number | null
  /** Null if no attempt follows. */
  readonly nextAttemptAt: Date | null
}

/** Every transaction locks webhooks before the rows that refer to them, which avoids deadlocks. */
export const lockHooks = async (tx: Query, hookIds: readonly string[]): Promise<void> => {
  await sql`
    select id from hooks where id = any(${[...hookIds]}::uuid[]) order by id for no key update`.execute(tx)
}

/** Leaves out attempts whose record was deleted. */
export const insertAttempts = async (tx: Query, attempts: readonly Attempt[]): Promise<void> => {
  await sql`
    insert into hook_attempts (id, record_id, started_at, duration_ms, status_code, error, reasons, answer, request, answer_headers)
    select t.* from unnest(
      ${attempts.map(({ id }) => id)}::uuid[],
      ${attempts.map(({ recordId }) => recordId)}::uuid[],
      ${attempts.map(({ startedAt }) => startedAt)}::timestamptz[],
      ${attempts.map(({ durationMs }) => durationMs)}::int[],
      ${attempts.map(({ statusCode }) => statusCode)}::int[],
      ${attempts.map(({ error }) => error)}::text[],
      ${attempts.map(({ reasons }) => reasons)}::text[],
      ${bytesArray(attempts.map(({ answer }) => answer))}::bytea[],
      ${attempts.map(({ request }) => request)}::text[],
      ${attempts.map(({ answerHeaders }) => answerHeaders)}::text[]
    ) as t (id, record_id, started_at, duration_ms, status_code, error, reasons, answer, request, answer_headers)
    join hook_events e on e.id = t.record_id`.execute(tx)
}

/** Counts every attempt. A failure changes the delivery only if the claim it was made under still counts. */
export const recordOutcomes = async (tx: Query, outcomes: readonly Outcome[], now: Date): Promise<void> => {
  const given = sql`unnest(
    ${outcomes.map(({ recordId }) => recordId)}::uuid[],
    ${outcomes.map(({ claim }) => claim)}::uuid[],
    ${outcomes.map(({ delivered }) => delivered)}::boolean[],
    ${outcomes.map(({ attempts }) => attempts)}::int[],
    ${outcomes.map(({ error }) => error)}::text[],
    ${outcomes.map(({ reasons }) => reasons)}::text[],
    ${outcomes.map(({ errorStatus }) => errorStatus)}::int[],
    ${outcomes.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[]
  ) as r (record_id, claim, delivered, attempts, error, reasons, error_status, next_attempt_at)`
  await sql`
    update hook_events e set
      attempts = e.attempts + r.attempts,
      delivered = e.delivered or r.delivered,
      delivery_error = case when e.delivered or r.delivered then null else r.error end,
      reasons = case when e.delivered or r.delivered then null else r.reasons end,
      error_status = case when e.delivered or r.delivered then null else r.error_status end,
      updated_at = ${now}::timestamptz
    from ${given} where e.id = r.record_id`.execute(tx)
  await sql`
    delete from hook_deliveries d using ${given}
    where d.record_id = r.record_id and (r.delivered or (d.claim = r.claim and r.next_attempt_at is null))`.execute(
    tx,
  )
  await sql`
    update hook_deliveries d set claim = null, tries = d.tries + 1, next_attempt_at = r.next_attempt_at
    from ${given}
    where d.record_id = r.record_id and d.claim = r.claim and r.next_attempt_at is not null`.execute(tx)
}

export const markHealthy = async (tx: Query, hookIds: readonly string[]): Promise<void> => {
  await tx
    .updateTable('hooks')
    .set(healthy)
    .where('id', '=', sql<string>`any(${[...hookIds]}::uuid[])`)
    .where('failingSince', 'is not', null)
    .execute()
}

export type FailingHook = Pick<Selectable<Hooks>, 'id' | 'status' | 'warnedAt'> & {
  readonly failingSince: Date
}

/** If the last failure is expired, the webhook is failing from now on. */
export const markFailing = async (
  tx: Query,
  { hookIds, now, expiredBefore }: { hookIds: readonly string[]; now: Date; expiredBefore: Date },
): Promise<FailingHook[]> => {
  const { rows } = await sql<FailingHook>`
    update hooks set
      failing_since = case when last_failed_at >= ${expiredBefore} then failing_since else ${now} end,
      warned_at = case when last_failed_at >= ${expiredBefore} then warned_at end,
      last_failed_at = ${now}
    where id = any(${[...hookIds]}::uuid[])
    returning id, status, failing_since, warned_at`.execute(tx)
  return rows
}

export const markWarned = async (tx: Query, hookId: string, now: Date): Promise<void> => {
  await tx.updateTable('hooks').set({ warnedAt: now }).where('id', '=', hookId).execute()
}
