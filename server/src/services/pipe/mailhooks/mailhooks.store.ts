import type { Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { MailHooks } from '../../../ports/database/tables.ts'

export type StoredMailHook = Selectable<MailHooks>
export type NewMailHook = Insertable<MailHooks>

export const insertMailHook = (tx: Query, hook: NewMailHook): Promise<StoredMailHook> =>
  tx.insertInto('mailHooks').values(hook).returningAll().executeTakeFirstOrThrow()

export const countMailHooks = async (query: Query, companyId: string): Promise<number> => {
  const { count } = await query
    .selectFrom('mailHooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Undefined values leave their columns as they are. */
export const saveMailHook = (
  tx: Query,
  id: string,
  changes: Updateable<MailHooks>,
): Promise<StoredMailHook> =>
  tx.updateTable('mailHooks').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const removeMailHook = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('mailHooks').where('id', '=', id).execute()
}

type MailHookKey = { readonly id: string; readonly companyId: string }

const mailHooksOf = (query: Query, companyId: string) =>
  query.selectFrom('mailHooks').selectAll().where('companyId', '=', companyId).where('endedAt', 'is', null)

export const findMailHook = (
  query: Query,
  { id, companyId }: MailHookKey,
): Promise<StoredMailHook | undefined> =>
  mailHooksOf(query, companyId).where('id', '=', id).executeTakeFirst()

/** Locks the row until the transaction ends. */
export const lockMailHook = (
  tx: Query,
  { id, companyId }: MailHookKey,
): Promise<StoredMailHook | undefined> =>
  mailHooksOf(tx, companyId).where('id', '=', id).forUpdate().executeTakeFirst()

/** Newest first. */
export const findMailHookPage = (
  query: Query,
  { companyId, mode }: { readonly companyId: string; readonly mode: Mode | undefined },
  { limit, after }: Page,
): Promise<StoredMailHook[]> =>
  mailHooksOf(query, companyId)
    .where((of) => of.and([of.and({ mode }), ...(after === undefined ? [] : [of('id', '<', after)])]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Ends the mail hooks of deleted companies whose events were all dispatched: ordered mails are sent, none is added. */
export const endMailHooks = async (tx: Query, companyIds: readonly string[], now: Date): Promise<void> => {
  await sql`
    update mail_hooks h set ended_at = ${now}
    where company_id = any(${[...companyIds]}::uuid[]) and ended_at is null
      and not exists (select from outbox where owner_id = h.company_id and dispatched_at is null)`.execute(tx)
}

/** Deletes ended mail hooks that have no mail left to write or send. */
export const deleteEndedMailHooks = async (query: Query): Promise<void> => {
  await sql`
    delete from mail_hooks h where h.ended_at is not null
      and not exists (select from mail_orders where mail_hook_id = h.id)
      and not exists (select from mails where mail_hook_id = h.id and next_attempt_at is not null)`.execute(
    query,
  )
}
