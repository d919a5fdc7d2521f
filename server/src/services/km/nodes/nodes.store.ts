import type { Mode } from '@millseal/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'
import { whenGiven } from '../when-given.ts'

export type StoredNode = Selectable<DB['ledgerNodes']>

export const insertNode = (tx: Query, node: Insertable<DB['ledgerNodes']>): Promise<StoredNode> =>
  tx.insertInto('ledgerNodes').values(node).returningAll().executeTakeFirstOrThrow()

/** Newest first. */
export const findNodePage = (
  query: Query,
  { mode, coinType }: { readonly mode: Mode; readonly coinType?: number },
  { limit, after }: Page,
): Promise<StoredNode[]> =>
  query
    .selectFrom('ledgerNodes')
    .selectAll()
    .where('mode', '=', mode)
    .$call(whenGiven(coinType, (nodes, wanted) => nodes.where('coinType', '=', wanted)))
    .$call(whenGiven(after, (nodes, id) => nodes.where('id', '<', id)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** All nodes whose ledgers may contain transactions of this mode and coin type, the active one first. */
export const findNodesToAsk = (
  query: Query,
  { mode, coinType }: { readonly mode: Mode; readonly coinType: number },
): Promise<StoredNode[]> =>
  query
    .selectFrom('ledgerNodes')
    .selectAll()
    .where('mode', '=', mode)
    .where('coinType', '=', coinType)
    .orderBy('status')
    .orderBy('id', 'desc')
    .execute()

export const findNode = (
  query: Query,
  { id, mode }: { readonly id: string; readonly mode: Mode },
): Promise<StoredNode | undefined> =>
  query.selectFrom('ledgerNodes').selectAll().where('id', '=', id).where('mode', '=', mode).executeTakeFirst()

/** Locks all nodes of the mode until the transaction ends, so that only one caller at a time changes the active one. */
export const lockNodes = (tx: Query, mode: Mode): Promise<StoredNode[]> =>
  tx.selectFrom('ledgerNodes').selectAll().where('mode', '=', mode).orderBy('id').forUpdate().execute()

export const saveNode = async (
  tx: Query,
  { id, name, connectionUrl, status, updatedAt }: StoredNode,
): Promise<void> => {
  await tx
    .updateTable('ledgerNodes')
    .set({ name, connectionUrl, status, updatedAt })
    .where('id', '=', id)
    .execute()
}

export const deleteNode = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('ledgerNodes').where('id', '=', id).execute()
}
