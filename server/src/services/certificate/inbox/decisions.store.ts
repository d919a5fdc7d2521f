import type { Insertable } from 'kysely'
import type { InboxState } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { InboxDecisions } from '../../../ports/database/tables.ts'
import type { StoredDecision } from './inbox.store.ts'

/** Adds decisions, each of which makes the state of its entry. */
export const insertDecisions = async (
  tx: Query,
  decisions: readonly Insertable<InboxDecisions>[],
  state: InboxState,
): Promise<void> => {
  if (decisions.length === 0) return
  await tx.insertInto('inboxDecisions').values(decisions).execute()
  const isOpen = state === 'new'
  await sql`
    update inbox set state = ${state}, alarm = null, alarmed_at = null,
      decision_id = case when ${isOpen}::boolean then null else given.id end
    from unnest(${decisions.map(({ id }) => id)}::uuid[], ${decisions.map(({ inboxId }) => inboxId)}::uuid[]) as given (id, inbox_id)
    where inbox.id = given.inbox_id`.execute(tx)
}

/** Newest first. */
export const findHistory = (query: Query, inboxId: string): Promise<StoredDecision[]> =>
  query
    .selectFrom('inboxDecisions')
    .selectAll()
    .where('inboxId', '=', inboxId)
    .orderBy('id', 'desc')
    .execute()

export const findDecision = (query: Query, id: string | null): Promise<StoredDecision | undefined> =>
  query.selectFrom('inboxDecisions').selectAll().where('id', '=', id).executeTakeFirst()

/** The companies that issued these, by entry: those of certificates that name the deciding company as receiver. */
export const findIssuers = async (
  query: Query,
  certificateIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ id: string; companyId: string }>`
    select id, company_id as "companyId" from certificates where id = any (${[...certificateIds]}::uuid[])`.execute(
    query,
  )
  return new Map(rows.map(({ id, companyId }) => [id, companyId]))
}
