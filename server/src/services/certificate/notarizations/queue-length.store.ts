import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type Wanted = {
  readonly companyId: string
  readonly modes: readonly Mode[]
  readonly now: Date
  readonly limit: number
}

export type CompanyQueue = {
  /** How many notarizations of the company are due in these modes, counted up to the limit. */
  readonly waiting: number
  /** Since when the oldest of them is due. */
  readonly oldest: Date | undefined
}

export const findCompanyQueue = async (
  query: Query,
  { companyId, modes, now, limit }: Wanted,
): Promise<CompanyQueue> => {
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    select count(*)::int as waiting, min(next_attempt_at) as oldest from (
      select next_attempt_at from certificates
      where company_id = ${companyId} and mode = any(${modes}) and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit}
    ) as due`.execute(query)
  return { waiting: rows[0]?.waiting ?? 0, oldest: rows[0]?.oldest ?? undefined }
}

/** How many notarizations have not ended, counted up to the limit. */
export const countDue = async (query: Query, limit: number): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from certificates where next_attempt_at is not null limit ${limit}
    ) as unfinished`.execute(query)
  return rows[0]?.waiting ?? 0
}

/** Whether a certificate that was accepted earlier is not finished. */
export const hasUnfinished = async (
  query: Query,
  { mode, before }: { readonly mode: Mode; readonly before: Date },
): Promise<boolean> => {
  const found = await query
    .selectFrom('certificates')
    .select('id')
    .where('nextAttemptAt', 'is not', null)
    .where('mode', '=', mode)
    .where('createdAt', '<', before)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
