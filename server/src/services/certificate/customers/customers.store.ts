import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { Customers } from '../../../ports/database/tables.ts'

export type StoredCustomer = Selectable<Customers>

/** `patterns` are those of a `TextQuery`, for words that all have to occur. */
export type CustomerFilter = { readonly companyId: string; readonly patterns: readonly string[] }

type CustomerKey = { readonly id: string; readonly companyId: string }

const matching = (query: Query, { companyId, patterns }: CustomerFilter) =>
  query
    .selectFrom('customers')
    .where('companyId', '=', companyId)
    .where(sql<SqlBool>`(' ' || words) like all (${[...patterns]}::text[])`)

const name = sql`sort_key(name) collate "C"`

/** In the order of their names. */
export const findCustomerPage = (
  query: Query,
  filter: CustomerFilter,
  { limit, after }: Page,
): Promise<StoredCustomer[]> => {
  const place = sql`(select ${name}, id from customers
    where id = ${after}::uuid and company_id = ${filter.companyId}::uuid)`
  const rows = matching(query, filter).selectAll().orderBy(name).orderBy('id').limit(limit)
  return (after === undefined ? rows : rows.where(sql<SqlBool>`(${name}, id) > ${place}`)).execute()
}

export const countCustomers = async (
  query: Query,
  filter: CustomerFilter,
  atMost: number,
): Promise<number> => {
  const found = await matching(query, filter).select('id').limit(atMost).execute()
  return found.length
}

export const findCustomer = (
  query: Query,
  { id, companyId }: CustomerKey,
): Promise<StoredCustomer | undefined> =>
  query
    .selectFrom('customers')
    .selectAll()
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .executeTakeFirst()

export const insertCustomer = async (tx: Query, customer: Insertable<Customers>): Promise<void> => {
  await tx.insertInto('customers').values(customer).execute()
}

/** Undefined if the company has no such customer. */
export const saveCustomer = (
  tx: Query,
  { id, companyId }: CustomerKey,
  changes: Updateable<Customers>,
): Promise<StoredCustomer | undefined> =>
  tx
    .updateTable('customers')
    .set(changes)
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .returningAll()
    .executeTakeFirst()

/** Returns whether the company had this customer. */
export const removeCustomer = async (tx: Query, { id, companyId }: CustomerKey): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('customers')
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
