import type { Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { Hooks } from '../../../ports/database/tables.ts'

export type StoredHook = Selectable<Hooks>
/** Undefined values leave their columns as they are. */
export type HookChanges = Updateable<Hooks>

export const insertHook = (tx: Query, hook: Insertable<Hooks>): Promise<StoredHook> =>
  tx.insertInto('hooks').values(hook).returningAll().executeTakeFirstOrThrow()

export const saveHook = (tx: Query, id: string, changes: HookChanges): Promise<StoredHook> =>
  tx.updateTable('hooks').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The columns of a webhook that has not failed since its last success. */
export const healthy = { failingSince: null, lastFailedAt: null, warnedAt: null } as const

export const removeHook = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('hooks').where('id', '=', id).execute()
}

export type HookKey = { readonly id: string; readonly companyId: string }

const hooksOf = (query: Query, companyId: string) =>
  query.selectFrom('hooks').selectAll().where('companyId', '=', companyId).where('endedAt', 'is', null)

export const findHook = (query: Query, { id, companyId }: HookKey): Promise<StoredHook | undefined> =>
  hooksOf(query, companyId).where('id', '=', id).executeTakeFirst()

export const countHooks = async (query: Query, companyId: string): Promise<number> => {
  const { count } = await query
    .selectFrom('hooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Locks the row until the transaction ends. */
export const lockHook = (tx: Query, { id, companyId }: HookKey): Promise<StoredHook | undefined> =>
  hooksOf(tx, companyId).where('id', '=', id).forUpdate().executeTakeFirst()

/** Of any company, also of one that was deleted. */
export const findAnyHook = (query: Query, id: string): Promise<StoredHook | undefined> =>
  query.selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirst()

/** Newest first. */
export const findHookPage = (
  query: Query,
  { companyId, mode }: { readonly companyId: string; readonly mode: Mode | undefined },
  { limit, after }: Page,
): Promise<StoredHook[]> =>
  hooksOf(query, companyId)
    .where((of) => of.and([of.and({ mode }), ...(after === undefined ? [] : [of('id', '<', after)])]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/**
 * Ends the webhooks of deleted companies whose events were all dispatched: what is queued is delivered, nothing is
 * added.
 */
export const endHooks = async (tx: Query, companyIds: readonly string[], now: Date): Promise<void> => {
  await sql`
    update hooks h set ended_at = ${now}
    where company_id = any(${[...companyIds]}::uuid[]) and ended_at is null
      and not exists (select from outbox where owner_id = h.company_id and dispatched_at is null)`.execute(tx)
}

/** Deletes ended webhooks that have no delivery left. */
export const deleteEndedHooks = async (query: Query): Promise<void> => {
  await query
    .deleteFrom('hooks')
    .where('endedAt', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('hookDeliveries').select('hookId').whereRef('hookId', '=', 'hooks.id'))),
    )
    .execute()
}
