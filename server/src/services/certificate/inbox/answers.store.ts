import { sql } from 'kysely'
import { uuidv7Bound } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { StoredAnswers, StoredEntry } from './inbox.store.ts'

/** Locked, so that no decision is made with answers that are about to change. */
export const lockEntry = (tx: Query, id: string): Promise<StoredEntry | undefined> =>
  tx.selectFrom('inbox').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const saveEntry = async (tx: Query, id: string, changes: Partial<StoredEntry>): Promise<void> => {
  await tx.updateTable('inbox').set(changes).where('id', '=', id).execute()
}

export const saveAnswers = async (tx: Query, answers: StoredAnswers): Promise<void> => {
  await tx
    .insertInto('inboxAnswers')
    .values(answers)
    .onConflict((conflict) => conflict.column('inboxId').doUpdateSet(answers))
    .execute()
}

export const saveVerification = async (
  tx: Query,
  { inboxId, verification }: { readonly inboxId: string; readonly verification: string },
): Promise<void> => {
  await tx.updateTable('inboxAnswers').set({ verification }).where('inboxId', '=', inboxId).execute()
}

/** The entries of these certificates, notarized for the company or filed, in whichever mode. */
export const findEntriesOf = async (
  query: Query,
  certificateIds: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    with of as (select hash, pdf_hash from certificates where id = any (${[...certificateIds]}::uuid[]))
    select i.id from of join inbox i on i.hash = of.hash
    union
    select i.id from of join inbox i on i.pdf_hash = of.pdf_hash`.execute(query)
  return rows.map(({ id }) => id)
}

export const findOpenEntries = async (
  query: Query,
  {
    companyId,
    orderKey,
    after,
    limit,
  }: Readonly<Record<'orderKey' | 'after', string | undefined>> & {
    readonly companyId: string
    readonly limit: number
  },
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from inbox where company_id = ${companyId}::uuid and state = 'new'
      and (${orderKey ?? null}::text is null or order_key = ${orderKey ?? null})
      and id > ${after ?? uuidv7Bound(0)}::uuid
    order by id limit ${limit}::int`.execute(query)
  return rows.map(({ id }) => id)
}

/** What was never answered, then what was not since this time: open, or accepted within a year. */
export const findDueEntries = async (
  query: Query,
  {
    askedBefore,
    createdAfter,
    limit,
  }: Readonly<Record<'askedBefore' | 'createdAfter', Date>> & { limit: number },
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    (select id from inbox where asked_at is null order by id limit ${limit}::int)
    union all
    (select id from inbox
      where asked_at < ${askedBefore} and state in ('new', 'accepted', 'acceptedWithConcession')
        and id >= ${uuidv7Bound(createdAfter.getTime())}::uuid
      order by asked_at limit ${limit}::int)
    limit ${limit}::int`.execute(query)
  return rows.map(({ id }) => id)
}
