import { sql } from 'kysely'
import type { Database, Query, Transaction } from '../../ports/database/database.ts'
import { hex } from './link-hash.ts'
import type { ArchivedEntry, ArchiveEnd } from './archive-file.ts'

/** The part of the audit log that is no longer in the database. */
export type Archived = ArchiveEnd & { readonly chainedAt: Date; readonly archivedAt: Date }

export const findArchived = async (query: Query): Promise<Archived | undefined> => {
  const row = await query
    .selectFrom('auditArchives')
    .select(['position', 'hash', 'chainedAt', 'archivedAt'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, hash: hex(row.hash) }
}

/** The newest head on the live log before which every entry is older. */
export const findArchivableHead = async (
  query: Query,
  { after, before }: { readonly after: number; readonly before: Date },
): Promise<(ArchiveEnd & { readonly transactionId: string; readonly chainedAt: Date }) | undefined> => {
  const { rows } = await sql<ArchiveEnd & { transactionId: string; chainedAt: Date }>`
    select h.position, encode(h.hash, 'hex') as hash, h.transaction_id, c.chained_at
    from audit_heads h join audit_chain c on c.position = h.position and c.hash = h.hash
    where h.position > ${after} and h.position < coalesce(
      (select min(l.position) from audit_chain l join audit_log a on a.id = l.entry_id
        where l.position > ${after} and a.at >= ${before}),
      ${Number.MAX_SAFE_INTEGER})
    order by h.position desc limit 1`.execute(query)
  return rows[0]
}

const pageSize = 5_000

export async function* readEntries(
  query: Query,
  { after, to }: { readonly after: number; readonly to: number },
): AsyncIterable<ArchivedEntry> {
  for (let from = after; from < to; from += pageSize) {
    const { rows } = await sql<ArchivedEntry>`
      select c.position, c.chained_at, audit_entry_text(a) as entry
      from audit_chain c join audit_log a on a.id = c.entry_id
      where c.position > ${from} and c.position <= ${Math.min(to, from + pageSize)}
      order by c.position`.execute(query)
    yield* rows
  }
}

type NewArchive = ArchiveEnd & {
  readonly chainedAt: Date
  readonly entries: number
  readonly transactionId: string
  readonly archivedAt: Date
}

/** From here on, the database lets the entries up to its end be removed. */
export const insertArchive = async (tx: Transaction, { hash, ...archive }: NewArchive): Promise<void> => {
  await tx
    .insertInto('auditArchives')
    .values({ ...archive, hash: Buffer.from(hash, 'hex') })
    .execute()
}

/** Removes what is archived, batch by batch: also what an interrupted run left. */
export const removeArchived = async (database: Database): Promise<void> => {
  const archived = await findArchived(database.query)
  if (archived === undefined) return
  for (let isDone = false; !isDone; )
    isDone = await database.transaction((tx) => removeSome(tx, archived.position))
}

/** True if nothing is left. */
const removeSome = async (tx: Transaction, last: number): Promise<boolean> => {
  const { rows } = await sql<{ position: number }>`
    select position from audit_chain where position <= ${last} order by position
    limit 1 offset ${pageSize - 1}`.execute(tx)
  const to = rows[0]?.position ?? last
  await sql`
    delete from audit_log where id in (select entry_id from audit_chain where position <= ${to})`.execute(tx)
  await sql`delete from audit_chain where position <= ${to}`.execute(tx)
  return to === last
}
