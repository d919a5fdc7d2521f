import { sql } from 'kysely'
import type { Query } from '../../ports/database/database.ts'

export type ChainedRow = {
  readonly position: number
  readonly entryHash: Uint8Array
  readonly chainedAt: Date
  readonly hash: Uint8Array
}

/** A row of the chain beside its entry as it is now; null if there is none. */
type ComparedRow = ChainedRow & {
  readonly entryId: string
  readonly at: Date | null
  readonly currentHash: Uint8Array | null
}

const pageSize = 5_000

/** All rows after this position, in their order. */
export async function* readChain(query: Query, position: number): AsyncIterable<ComparedRow> {
  for (let after = position; ; ) {
    const { rows } = await sql<ComparedRow>`
      select c.position, c.entry_id, c.entry_hash, c.chained_at, c.hash, a.at,
        case when a.id is not null then audit_entry_hash(a) end as current_hash
      from (select * from audit_chain where position > ${after} order by position limit ${pageSize}) c
      left join audit_log a on a.id = c.entry_id order by c.position`.execute(query)
    for (const row of rows) {
      after = row.position
      yield row
    }
    if (rows.length < pageSize) return
  }
}

/** Entries that disappeared before they were chained. */
export const findVanished = async (query: Query, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ entryId: string }>`
    select distinct entry_id from audit_waiting w
    where not exists (select from audit_log a where a.id = w.entry_id) limit ${limit}`.execute(query)
  return rows.map(({ entryId }) => entryId)
}

/** Entries that are neither chained nor waiting: the trigger of the table was off when they were inserted. */
export const findUnchained = async (query: Query, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log a
    where not exists (select from audit_chain c where c.entry_id = a.id)
      and not exists (select from audit_waiting w where w.entry_id = a.id)
    order by id limit ${limit}`.execute(query)
  return rows.map(({ id }) => id)
}

export const countWaiting = async (query: Query): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct entry_id)::int as count from audit_waiting w
    where not exists (select from audit_chain c where c.entry_id = w.entry_id)`.execute(query)
  return rows[0]?.count ?? 0
}
