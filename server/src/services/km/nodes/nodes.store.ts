import type { Mode } from '@millseal/contract'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'

export type StoredNode = {
  readonly id: string
  readonly name: string
  readonly coinType: number
  readonly mode: Mode
  readonly connectionUrl: string
  readonly status: 'active' | 'inactive'
  readonly createdAt: Date
  readonly updatedAt: Date
}

type NodeRow = {
  id: string
  name: string
  coin_type: number
  mode: Mode
  connection_url: string
  status: 'active' | 'inactive'
  created_at: Date
  updated_at: Date
}
type NodeTables = { ledger_nodes: NodeRow }

const nodes = (query: Query) => query.withTables<NodeTables>()

export type NewNode = Omit<StoredNode, 'createdAt' | 'updatedAt'>

export const insertNode = async (tx: Query, node: NewNode, now: Date): Promise<StoredNode> => {
  const row = await nodes(tx)
    .insertInto('ledger_nodes')
    .values({
      id: node.id,
      name: node.name,
      coin_type: node.coinType,
      mode: node.mode,
      connection_url: node.connectionUrl,
      status: node.status,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toNode(row)
}

type NodeFilter = { readonly mode: Mode; readonly coinType?: number }

/** Newest first. */
export const findNodePage = async (
  query: Query,
  { mode, coinType }: NodeFilter,
  { limit, after }: Page,
): Promise<StoredNode[]> => {
  const rows = await nodes(query)
    .selectFrom('ledger_nodes')
    .selectAll()
    .where('mode', '=', mode)
    .$if(coinType !== undefined, (some) => some.where('coin_type', '=', coinType ?? null))
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toNode)
}

/** All that hold transactions of this mode and coin type, the active one first. */
export const findNodesToAsk = async (
  query: Query,
  { mode, coinType }: { readonly mode: Mode; readonly coinType: number },
): Promise<StoredNode[]> => {
  const rows = await nodes(query)
    .selectFrom('ledger_nodes')
    .selectAll()
    .where('mode', '=', mode)
    .where('coin_type', '=', coinType)
    .orderBy('status')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toNode)
}

type NodeKey = { readonly id: string; readonly mode: Mode }

export const findNode = async (query: Query, { id, mode }: NodeKey): Promise<StoredNode | undefined> => {
  const row = await nodes(query)
    .selectFrom('ledger_nodes')
    .selectAll()
    .where('id', '=', id)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return row && toNode(row)
}

/** All nodes of the mode are held until the transaction ends: which one is active changes one at a time. */
export const lockNodes = async (tx: Query, mode: Mode): Promise<StoredNode[]> => {
  const rows = await nodes(tx)
    .selectFrom('ledger_nodes')
    .selectAll()
    .where('mode', '=', mode)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(toNode)
}

export const saveNode = async (
  tx: Query,
  node: Pick<StoredNode, 'id' | 'name' | 'connectionUrl' | 'status'>,
  now: Date,
): Promise<void> => {
  await nodes(tx)
    .updateTable('ledger_nodes')
    .set({
      name: node.name,
      connection_url: node.connectionUrl,
      status: node.status,
      updated_at: now,
    })
    .where('id', '=', node.id)
    .execute()
}

export const countNodesOf = async (query: Query, coinType: number): Promise<number> => {
  const { count } = await nodes(query)
    .selectFrom('ledger_nodes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('coin_type', '=', coinType)
    .executeTakeFirstOrThrow()
  return count
}

export const removeNode = async (tx: Query, id: string): Promise<void> => {
  await nodes(tx).deleteFrom('ledger_nodes').where('id', '=', id).execute()
}

const toNode = (row: NodeRow): StoredNode => ({
  id: row.id,
  name: row.name,
  coinType: row.coin_type,
  mode: row.mode,
  connectionUrl: row.connection_url,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
