import type { Mode } from '@millseal/contract'
import type { Amount } from '@millseal/families'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { OrderLines } from '../../../ports/database/tables.ts'

export type StoredLine = Selectable<OrderLines>

/** Newest first: those in use, or the version with a hash. */
export const findLinePage = (
  query: Query,
  {
    companyId,
    orderKey,
    hash,
  }: Readonly<Record<'orderKey' | 'hash', string | undefined>> & { readonly companyId: string },
  { limit, after }: Page,
): Promise<StoredLine[]> => {
  const all = query.selectFrom('orderLines').selectAll().where('companyId', '=', companyId)
  const rows = hash === undefined ? all.where('inUse', '=', true) : all.where('hash', '=', hash)
  const ofOrder = orderKey === undefined ? rows : rows.where('orderKey', '=', orderKey)
  const page = after === undefined ? ofOrder : ofOrder.where('id', '<', after)
  return page.orderBy('id', 'desc').limit(limit).execute()
}

export const findLine = (
  query: Query,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): Promise<StoredLine | undefined> =>
  query
    .selectFrom('orderLines')
    .selectAll()
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .executeTakeFirst()

/** Those in use. */
export const findLinesOfOrder = (
  query: Query,
  { companyId, orderKey }: { readonly companyId: string; readonly orderKey: string },
): Promise<StoredLine[]> =>
  query
    .selectFrom('orderLines')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('orderKey', '=', orderKey)
    .where('inUse', '=', true)
    .orderBy('itemKey')
    .execute()

/** Those in use, locked so that no two acceptances count the same quantity. */
export const lockLines = (
  tx: Query,
  { companyId, hashes }: { readonly companyId: string; readonly hashes: readonly string[] },
): Promise<StoredLine[]> =>
  tx
    .selectFrom('orderLines')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('hash', '=', sql<string>`any (${[...hashes]}::text[])`)
    .where('inUse', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()

export const hasLines = async (query: Query, companyId: string): Promise<boolean> => {
  const found = await query
    .selectFrom('orderLines')
    .select('id')
    .where('companyId', '=', companyId)
    .where('inUse', '=', true)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const countLines = async (
  query: Query,
  companyId: string,
): Promise<{ readonly inUse: number; readonly versions: number }> => {
  const { inUse, versions } = await query
    .selectFrom('orderLines')
    .where('companyId', '=', companyId)
    .select(({ fn }) => [
      fn.countAll().as('versions'),
      fn.countAll().filterWhere('inUse', '=', true).as('inUse'),
    ])
    .executeTakeFirstOrThrow()
  return { inUse: Number(inUse), versions: Number(versions) }
}

/** Takes the versions of these orders and items out of use. */
export const retireLines = async (
  tx: Query,
  companyId: string,
  keys: readonly { readonly orderKey: string; readonly itemKey: string }[],
): Promise<void> => {
  await sql`
    update order_lines set in_use = false
    from unnest(${keys.map(({ orderKey }) => orderKey)}::text[], ${keys.map(({ itemKey }) => itemKey)}::text[])
      as given (order_key, item_key)
    where company_id = ${companyId}::uuid and in_use
      and order_lines.order_key = given.order_key and order_lines.item_key = given.item_key`.execute(tx)
}

/** A version that existed is in use again. */
export const insertLines = (tx: Query, lines: readonly Insertable<OrderLines>[]): Promise<StoredLine[]> =>
  tx
    .insertInto('orderLines')
    .values(lines)
    .onConflict((conflict) => conflict.columns(['companyId', 'hash']).doUpdateSet({ inUse: true }))
    .returningAll()
    .execute()

/** What the accepted certificates of an order line say of their quantity; each content once, and without one. */
export const findAcceptedAmounts = async (
  query: Query,
  {
    companyId,
    mode,
    orderKey,
    itemKeys,
    without,
  }: {
    readonly companyId: string
    readonly mode: Mode
    readonly orderKey: string
    readonly itemKeys: readonly string[]
    readonly without: readonly string[]
  },
): Promise<readonly (readonly Amount[])[]> => {
  const { rows } = await sql<{ amounts: string | null }>`
    select distinct on (coalesce(hash, id::text)) amounts from inbox
    where company_id = ${companyId}::uuid and mode = ${mode} and order_key = ${orderKey}
      and item_key = any (${[...itemKeys]}::text[]) and state in ('accepted', 'acceptedWithConcession')
      and not (coalesce(hash, '') = any (${[...without]}::text[]))`.execute(query)
  return rows.map(({ amounts }) => JSON.parse(amounts ?? '[]') as readonly Amount[])
}
