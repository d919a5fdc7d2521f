import type { Query } from '../../../ports/database/database.ts'

export type StoredCoinType = {
  readonly id: string
  readonly bip44Id: number
  readonly status: 'active' | 'inactive'
  readonly createdAt: Date
  readonly updatedAt: Date
}

type CoinTypeRow = {
  id: string
  bip44_id: number
  status: 'active' | 'inactive'
  created_at: Date
  updated_at: Date
}
type CoinTypeTables = { coin_types: CoinTypeRow }

const coinTypes = (query: Query) => query.withTables<CoinTypeTables>()

/** Nothing when the coin type is there already. */
export const insertCoinType = async (
  tx: Query,
  { id, bip44Id }: Pick<StoredCoinType, 'id' | 'bip44Id'>,
  now: Date,
): Promise<StoredCoinType | undefined> => {
  const row = await coinTypes(tx)
    .insertInto('coin_types')
    .values({ id, bip44_id: bip44Id, status: 'active', created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('bip44_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toCoinType(row)
}

/** In the order of their numbers. */
export const findCoinTypes = async (query: Query): Promise<StoredCoinType[]> => {
  const rows = await coinTypes(query).selectFrom('coin_types').selectAll().orderBy('bip44_id').execute()
  return rows.map(toCoinType)
}

export const findCoinType = async (query: Query, bip44Id: number): Promise<StoredCoinType | undefined> => {
  const row = await coinTypes(query)
    .selectFrom('coin_types')
    .selectAll()
    .where('bip44_id', '=', bip44Id)
    .executeTakeFirst()
  return row && toCoinType(row)
}

/** Held until the transaction ends. */
export const lockCoinType = async (tx: Query, bip44Id: number): Promise<StoredCoinType | undefined> => {
  const row = await coinTypes(tx)
    .selectFrom('coin_types')
    .selectAll()
    .where('bip44_id', '=', bip44Id)
    .forUpdate()
    .executeTakeFirst()
  return row && toCoinType(row)
}

export const saveCoinTypeStatus = async (
  tx: Query,
  { bip44Id, status }: Pick<StoredCoinType, 'bip44Id' | 'status'>,
  now: Date,
): Promise<void> => {
  await coinTypes(tx)
    .updateTable('coin_types')
    .set({ status, updated_at: now })
    .where('bip44_id', '=', bip44Id)
    .execute()
}

export const removeCoinType = async (tx: Query, bip44Id: number): Promise<void> => {
  await coinTypes(tx).deleteFrom('coin_types').where('bip44_id', '=', bip44Id).execute()
}

const toCoinType = (row: CoinTypeRow): StoredCoinType => ({
  id: row.id,
  bip44Id: row.bip44_id,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
