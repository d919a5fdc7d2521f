import { type SqlBool, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'

export type AttemptKey = { readonly subject: string; readonly network: string }

export type LockRule = {
  /** Failures without a lock. */
  readonly free: number
  readonly firstSeconds: number
  /** Each failure doubles the lock up to this. */
  readonly longestSeconds: number
  /** After this time without a failure the count starts again. */
  readonly forgottenAfterSeconds: number
}

const seconds = (count: number) => sql`make_interval(secs => ${count})`

/** Returns the number of failures, and until when the next attempt is refused. */
export const countFailure = async (
  tx: Query,
  { subject, network }: AttemptKey,
  rule: LockRule,
  now: Date,
): Promise<{ readonly failures: number; readonly lockedUntil: Date | null }> => {
  const until = (
    failures: ReturnType<typeof sql>,
  ) => sql`case when ${failures} > ${rule.free}::int then ${now}::timestamptz +
    least(${seconds(rule.firstSeconds)} * power(2, least(${failures} - ${rule.free}::int - 1, 20)), ${seconds(rule.longestSeconds)}) end`
  // Several at once can overtake each other. A failure that lies further ahead is older than a clock that was set back.
  const count = sql`case when a.failed_at between ${now}::timestamptz - ${seconds(rule.forgottenAfterSeconds)} and ${now}::timestamptz + ${seconds(60)}
    then a.failures else 0 end + 1`
  const { rows } = await sql<{ failures: number; lockedUntil: Date | null }>`
    insert into sign_in_attempts as a (subject, network, failures, failed_at, locked_until)
    values (${subject}, ${network}, 1, ${now}, ${until(sql`1`)})
    on conflict (subject, network) do update
      set failures = ${count}, failed_at = ${now}, locked_until = ${until(sql`(${count})`)}
    returning failures, locked_until`.execute(tx)
  const [counted] = rows
  if (counted === undefined) throw new Error('The failed sign-in was not counted')
  return counted
}

/** Until when sign-ins of this account from this network are refused. A lock that lies too far ahead is that of a wrong clock. */
export const findLock = async (
  query: Query,
  { subject, network }: AttemptKey,
  { now, longestSeconds, knownSince }: { now: Date; longestSeconds: number; knownSince: Date },
): Promise<Date | undefined> => {
  // The clock of another process may be a little ahead.
  const latest = new Date(now.getTime() + (longestSeconds + 60) * 1_000)
  const row = await query
    .selectFrom('signInAttempts as a')
    .select(({ fn }) => fn.max('a.lockedUntil').as('until'))
    .where('subject', '=', subject)
    .where('lockedUntil', '>', now)
    .where('lockedUntil', '<=', latest)
    .where(
      sql<SqlBool>`(network = ${network} or network = '*' and not exists (
        select from sign_in_attempts k
        where k.subject = a.subject and k.network = ${network} and k.succeeded_at > ${knownSince}))`,
    )
    .executeTakeFirst()
  return row?.until ?? undefined
}

export const saveSuccess = async (tx: Query, key: AttemptKey, now: Date): Promise<void> => {
  const state = { failures: 0, failedAt: null, lockedUntil: null, succeededAt: now }
  await tx
    .insertInto('signInAttempts')
    .values({ ...key, ...state })
    .onConflict((conflict) => conflict.columns(['subject', 'network']).doUpdateSet(state))
    .execute()
}

/** Ends every lock of the account, and forgets its failures. False if there were none. */
export const forgetFailures = async (tx: Query, subject: string): Promise<boolean> => {
  const forgotten = await tx
    .updateTable('signInAttempts')
    .set({ failures: 0, failedAt: null, lockedUntil: null })
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .executeTakeFirst()
  return forgotten.numUpdatedRows > 0n
}

export const deleteOldAttempts = async (
  query: Query,
  before: { readonly failed: Date; readonly succeeded: Date },
): Promise<void> => {
  await sql`
    delete from sign_in_attempts where coalesce(failed_at < ${before.failed}, true)
      and coalesce(succeeded_at < ${before.succeeded}, true)`.execute(query)
}
