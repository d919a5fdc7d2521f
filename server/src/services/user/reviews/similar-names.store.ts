import { sql } from 'kysely'
import type { Query, Transaction } from '../../../ports/database/database.ts'

export type SimilarName = {
  /** The company that it is compared with. */
  readonly of: string
  readonly id: string
  readonly name: string
  readonly vatId: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly state: 'verified' | 'ended' | 'deleted'
}

const mostShown = 20

/**
 * Companies that are verified, or were, under a name that readers confuse with that of one of these companies, newest first.
 * A company that was deleted and founded again with its VAT id is no other company.
 */
export const findSimilarNames = async (
  query: Query,
  companyIds: readonly string[],
): Promise<readonly SimilarName[]> => {
  const { rows } = await sql<SimilarName>`
    select c.id as of, s.* from companies c cross join lateral (
      select * from (
        select distinct on (o.id) o.id, o.name, o.vat_id,
          coalesce(k.country, replace(left(o.vat_id, 2), 'EL', 'GR')) as country,
          case when k.id is null then 'deleted' when k.verified_at is null then 'ended' else 'verified' end as state
        from (
          select r.company_id as id, r.company_name as name, r.evidence::json ->> 'vatId' as vat_id, r.id as review_id
          from company_reviews r where r.name_key = c.name_key and r.decision = 'verified' and r.company_id <> c.id
          union all
          select id, name, vat_id, null from companies v
          where v.name_key = c.name_key and v.verified_at is not null and v.id <> c.id
        ) o left join companies k on k.id = o.id
        where o.vat_id <> c.vat_id
        order by o.id, o.review_id desc nulls first
      ) d order by id desc limit ${mostShown}
    ) s where c.id = any(${[...companyIds]}::uuid[])`.execute(query)
  return rows
}

/** Of two companies that are verified at once, the second one is compared with the first. */
export const lockName = async (tx: Transaction, nameKey: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('company-name/' || ${nameKey}::text, 0))`.execute(
    tx,
  )
}
