import type { Mode } from '@millseal/contract'
import { type Selectable, sql } from 'kysely'
import { commitLater } from '../../../ports/database/commit-later.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { Certificates } from '../../../ports/database/tables.ts'
import type { RunningNotarization } from './progress.store.ts'
import type { Claimed } from './turns.ts'

/** Notified by the database when certificates are inserted. */
export const notarizationChannel = 'millseal_notarizations'

export type Claim = {
  readonly now: Date
  readonly leaseUntil: Date
  /** What is later was planned by a clock that was ahead, so it is due as well. */
  readonly latest: Date
  /** Those that the caller runs: their leases may be such. */
  readonly except: readonly string[]
  readonly limit: number
  /** Companies up to this id had their turn in the claims before. */
  readonly afterCompany: string | undefined
}

/** Several claims in turn look at more companies than this. */
const companiesPerClaim = 64
const beforeAllCompanies = '00000000-0000-0000-0000-000000000000'

/**
 * Claims the first due notarization of each company, then the second, and so on: live before test, the oldest first.
 * Concurrent claims get others. `= any(array(…))`, because `in (…)` may be planned to read the whole table.
 */
export const claimNotarizations = async (
  query: Query,
  { now, leaseUntil, latest, except, limit, afterCompany = beforeAllCompanies }: Claim,
): Promise<Claimed<RunningNotarization>> => {
  const { rows } = await sql<
    Selectable<Certificates> & { readonly lookedUpTo: string | null; readonly hasLook: boolean }
  >`
    with recursive waiting (company_id, place) as (
      (select company_id, 1 from certificates
        where next_attempt_at is not null and company_id > ${afterCompany}::uuid order by company_id limit 1)
      union all
      select (
        select c.company_id from certificates c
        where c.next_attempt_at is not null and c.company_id > w.company_id order by c.company_id limit 1
      ), w.place + 1
      from waiting w where w.company_id is not null and w.place < ${companiesPerClaim}::int
    ), due as (
      select c.id, c.next_attempt_at,
        row_number() over (partition by w.company_id order by m.turn, c.next_attempt_at, c.id) as place
      from waiting w cross join (values ('live', 1), ('test', 2)) as m (mode, turn)
      cross join (values ('-infinity'::timestamptz, ${now}::timestamptz), (${latest}, 'infinity')) as d (after, until)
      cross join lateral (
        select id, next_attempt_at from certificates
        where company_id = w.company_id and mode = m.mode and id <> all(${except}::uuid[])
          and next_attempt_at > d.after and next_attempt_at <= d.until
        order by next_attempt_at, id limit ${limit}::int for update skip locked
      ) as c
    ), chosen as (
      select id from due order by place, next_attempt_at, id limit ${limit}::int
    ), claimed as (
      update certificates
      set state = 'running', attempts = attempts + 1, next_attempt_at = ${leaseUntil}, updated_at = ${now}
      where id = any(array(select id from chosen))
      returning *, ${commitLater} as commit
    )
    select claimed.*, (select company_id from waiting where place = ${companiesPerClaim}::int) as looked_up_to,
      exists (select from company_looks l where l.company_id = claimed.company_id) as has_look
    from (values (true)) as always left join claimed on true`.execute(query)
  return {
    claimed: rows.flatMap((row) => (row.body === null ? [] : [{ ...row, body: row.body }])),
    lookedUpTo: rows[0]?.lookedUpTo ?? undefined,
  }
}

/** Sets when running notarizations may be claimed again: to renew a lease, or to retry. */
export const scheduleNotarizations = (query: Query, ids: readonly string[], at: Date): Promise<unknown> =>
  query
    .updateTable('certificates')
    .set({ nextAttemptAt: at })
    .where('id', 'in', [...ids])
    .where('state', '=', 'running')
    .execute()

/** Makes notarizations that were cut short claimable at once; their attempt does not count. */
export const releaseNotarizations = (query: Query, ids: readonly string[], now: Date): Promise<unknown> =>
  query
    .updateTable('certificates')
    .set({ nextAttemptAt: now, attempts: sql<number>`attempts - 1` })
    .where('id', 'in', [...ids])
    .where('state', '=', 'running')
    .execute()

/** Makes notarizations due whose entries are confirmed: those below `size`, the first ones first. Returns how many. */
export const resumeNotarizations = async (
  query: Query,
  {
    mode,
    size,
    now,
    limit,
  }: { readonly mode: Mode; readonly size: number; readonly now: Date; readonly limit: number },
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with confirmed as (
      select id from certificates where mode = ${mode} and awaits_entry < ${size} and state = 'running'
      order by awaits_entry limit ${limit}::int for update skip locked
    ), resumed as (
      update certificates set awaits_entry = null, next_attempt_at = ${now}
      where id = any(array(select id from confirmed))
      returning id
    ), counted as (select count(*)::int as count from resumed)
    select count, case when count > 0 then pg_notify(${notarizationChannel}, '') end from counted`.execute(
    query,
  )
  return rows[0]?.count ?? 0
}
