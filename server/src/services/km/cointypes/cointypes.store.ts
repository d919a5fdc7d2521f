import type { Selectable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

export type StoredCoinType = Selectable<DB['coinTypes']>

/** Undefined if the coin type exists. */
export const insertCoinType = (
  tx: Query,
  coinType: { readonly id: string; readonly bip44Id: number },
  now: Date,
): Promise<StoredCoinType | undefined> =>
  tx
    .insertInto('coinTypes')
    .values({ ...coinType, status: 'active', createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('bip44Id').doNothing())
    .returningAll()
    .executeTakeFirst()

export const findCoinTypes = (query: Query): Promise<StoredCoinType[]> =>
  query.selectFrom('coinTypes').selectAll().orderBy('bip44Id').execute()

export const findCoinType = (query: Query, bip44Id: number): Promise<StoredCoinType | undefined> =>
  byNumber(query, bip44Id).executeTakeFirst()

/** Locked until the transaction ends. */
export const lockCoinType = (tx: Query, bip44Id: number): Promise<StoredCoinType | undefined> =>
  byNumber(tx, bip44Id).forUpdate().executeTakeFirst()

export const saveCoinTypeStatus = async (
  tx: Query,
  bip44Id: number,
  change: { readonly status: StoredCoinType['status']; readonly updatedAt: Date },
): Promise<void> => {
  await tx.updateTable('coinTypes').set(change).where('bip44Id', '=', bip44Id).execute()
}

export const deleteCoinType = async (tx: Query, bip44Id: number): Promise<void> => {
  await tx.deleteFrom('coinTypes').where('bip44Id', '=', bip44Id).execute()
}

const byNumber = (query: Query, bip44Id: number) =>
  query.selectFrom('coinTypes').selectAll().where('bip44Id', '=', bip44Id)

export const countNodesOf = async (query: Query, coinType: number): Promise<number> => {
  const { count } = await query
    .selectFrom('ledgerNodes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('coinType', '=', coinType)
    .executeTakeFirstOrThrow()
  return count
}
