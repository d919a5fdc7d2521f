import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type Attempt = {
  readonly id: string
  readonly recordId: string
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | undefined
  readonly error: string | undefined
  readonly answer: Uint8Array | undefined
}

export type Outcome = {
  readonly recordId: string
  readonly hookId: string
  readonly claim: string
  readonly delivered: boolean
  readonly attempts: number
  readonly error: string | undefined
  readonly errorStatus: number | undefined
  /** Of one that failed: when to try again; undefined: never. */
  readonly nextAttemptAt: Date | undefined
}

/** Hooks come first in every transaction that touches what hangs on them: so nobody waits for each other. */
export const holdHooks = async (tx: Query, hookIds: readonly string[]): Promise<void> => {
  await sql`
    select id from hooks where id = any(${[...hookIds]}::uuid[]) order by id for no key update`.execute(tx)
}

/** Those whose record was deleted meanwhile are left out. */
export const insertAttempts = async (tx: Query, attempts: readonly Attempt[]): Promise<void> => {
  await sql`
    insert into hook_attempts (id, record_id, started_at, duration_ms, status_code, error, answer)
    select t.* from unnest(
      ${attempts.map(({ id }) => id)}::uuid[],
      ${attempts.map(({ recordId }) => recordId)}::uuid[],
      ${attempts.map(({ startedAt }) => startedAt)}::timestamptz[],
      ${attempts.map(({ durationMs }) => durationMs)}::int[],
      ${attempts.map(({ statusCode }) => statusCode ?? null)}::int[],
      ${attempts.map(({ error }) => error ?? null)}::text[],
      ${attempts.map(({ answer }) => answer ?? null)}::bytea[]
    ) as t (id, record_id, started_at, duration_ms, status_code, error, answer)
    join hook_events e on e.id = t.record_id`.execute(tx)
}

/** Counts every attempt; settles a delivery only under the claim it was made under. */
export const recordOutcomes = async (tx: Query, outcomes: readonly Outcome[], now: Date): Promise<void> => {
  const given = sql`unnest(
    ${outcomes.map(({ recordId }) => recordId)}::uuid[],
    ${outcomes.map(({ claim }) => claim)}::uuid[],
    ${outcomes.map(({ delivered }) => delivered)}::boolean[],
    ${outcomes.map(({ attempts }) => attempts)}::int[],
    ${outcomes.map(({ error }) => error ?? null)}::text[],
    ${outcomes.map(({ errorStatus }) => errorStatus ?? null)}::int[],
    ${outcomes.map(({ nextAttemptAt }) => nextAttemptAt ?? null)}::timestamptz[]
  ) as r (record_id, claim, delivered, attempts, error, error_status, next_attempt_at)`
  await sql`
    update hook_events e set
      attempts = e.attempts + r.attempts,
      delivered = e.delivered or r.delivered,
      delivery_error = case when e.delivered or r.delivered then null else r.error end,
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

export const markWell = async (tx: Query, hookIds: readonly string[]): Promise<void> => {
  await sql`
    update hooks set failing_since = null, last_failed_at = null, warned_at = null
    where id = any(${[...hookIds]}::uuid[]) and failing_since is not null`.execute(tx)
}

export type FailingHook = {
  readonly id: string
  readonly status: 'enabled' | 'disabled'
  readonly failingSince: Date
  readonly warnedAt: Date | null
}

/** Without any attempt for a while nothing is known of it: it is failing from now on. */
export const markFailing = async (
  tx: Query,
  { hookIds, now, forgottenBefore }: { hookIds: readonly string[]; now: Date; forgottenBefore: Date },
): Promise<FailingHook[]> => {
  const { rows } = await sql<FailingHook>`
    update hooks set
      failing_since = case when last_failed_at >= ${forgottenBefore} then failing_since else ${now} end,
      warned_at = case when last_failed_at >= ${forgottenBefore} then warned_at end,
      last_failed_at = ${now}
    where id = any(${[...hookIds]}::uuid[])
    returning id, status, failing_since as "failingSince", warned_at as "warnedAt"`.execute(tx)
  return rows
}

export const markWarned = async (tx: Query, hookId: string, now: Date): Promise<void> => {
  await sql`update hooks set warned_at = ${now} where id = ${hookId}`.execute(tx)
}
