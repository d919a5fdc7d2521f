import type { Mode, signatureTypes } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { commitLater } from '../../../ports/database/commit-later.ts'
import type { Query } from '../../../ports/database/database.ts'

type SignatureType = (typeof signatureTypes)[number]

export type StoredTransaction = {
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  readonly coinType: number
  readonly type: SignatureType
  readonly ledgerId: string
  readonly fulfillments: readonly string[]
  readonly sentAt: Date | undefined
  readonly identityIds: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

type TransactionRow = {
  id: string
  company_id: string
  mode: Mode
  coin_type: number
  type: SignatureType
  ledger_id: string
  fulfillments: readonly string[]
  draft: string | null
  sent_at: Date | null
  created_at: Date
  updated_at: Date
}
type LinkRow = { identity_id: string; transaction_id: string }
type TransactionTables = { transactions: TransactionRow; transaction_identities: LinkRow }

const transactions = (query: Query) => query.withTables<TransactionTables>()

export type NewTransaction = Omit<StoredTransaction, 'identityIds' | 'createdAt' | 'updatedAt'> & {
  /** Whose owners are identities of the company, those have signed it. */
  readonly publicKeys: readonly string[]
  /** The signed transaction, where the service is to send it itself. */
  readonly draft?: string
}

/** With the identities of the company that signed it. Nothing when the company has a record of this transaction already. */
export const insertTransaction = async (
  tx: Query,
  transaction: NewTransaction,
  { now, commit }: { readonly now: Date; readonly commit?: 'later' },
): Promise<StoredTransaction | undefined> => {
  const { companyId, mode, sentAt = null, draft = null } = transaction
  const { rows } = await sql<TransactionRow & { identity_ids: readonly string[] }>`
    with made as (
      insert into transactions
        (id, company_id, mode, coin_type, type, ledger_id, fulfillments, draft, sent_at, created_at, updated_at)
      values (
        ${transaction.id}, ${companyId}, ${mode}, ${transaction.coinType}, ${transaction.type},
        ${transaction.ledgerId}, ${[...transaction.fulfillments]}, ${draft}, ${sentAt}, ${now}, ${now}
      )
      on conflict (company_id, mode, ledger_id) do nothing
      returning *
    ), linked as (
      insert into transaction_identities (identity_id, transaction_id)
      select i.id, made.id from made
      join identities i on i.company_id = made.company_id and i.mode = made.mode
        and i.public_key = any(${[...transaction.publicKeys]}::text[])
      returning identity_id
    )
    select made.*, array(select identity_id from linked order by identity_id) as identity_ids
      ${commit === 'later' ? sql`, ${commitLater} as commit` : sql``}
    from made`.execute(tx)
  const [row] = rows
  return row && toTransaction(row, row.identity_ids)
}

/** Whether it counted as unsent until now. */
export const markSent = async (tx: Query, id: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await transactions(tx)
    .updateTable('transactions')
    .set({ sent_at: now, draft: null, updated_at: now })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type OwnedBy = { readonly companyId: string; readonly mode: Mode }

/** Newest first. */
export const findTransactionPage = async (
  query: Query,
  { companyId, mode }: OwnedBy,
  { limit, after }: Page,
): Promise<StoredTransaction[]> => {
  const rows = await transactions(query)
    .selectFrom('transactions')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('mode', '=', mode)
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return withIdentities(query, rows)
}

export const findTransaction = async (
  query: Query,
  { id, companyId, mode }: OwnedBy & { readonly id: string },
): Promise<StoredTransaction | undefined> => {
  const rows = await transactions(query)
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .where('mode', '=', mode)
    .execute()
  return (await withIdentities(query, rows))[0]
}

export const findTransactionByLedgerId = async (
  query: Query,
  { companyId, mode, ledgerId }: OwnedBy & { readonly ledgerId: string },
): Promise<StoredTransaction | undefined> => {
  const rows = await transactions(query)
    .selectFrom('transactions')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('mode', '=', mode)
    .where('ledger_id', '=', ledgerId)
    .execute()
  return (await withIdentities(query, rows))[0]
}

export const findDraft = async (query: Query, id: string): Promise<string | undefined> => {
  const row = await transactions(query)
    .selectFrom('transactions')
    .select('draft')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.draft ?? undefined
}

/** The newest of each identity, newest first. */
export const findTransactionIds = async (
  query: Query,
  identityIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { rows } = await sql<LinkRow>`
    select asked.id as identity_id, newest.transaction_id
    from unnest(${[...identityIds]}::uuid[]) as asked (id)
    cross join lateral (
      select transaction_id from transaction_identities
      where identity_id = asked.id order by transaction_id desc limit ${limit}
    ) as newest`.execute(query)
  const byIdentity = Map.groupBy(rows, ({ identity_id }) => identity_id)
  return new Map(
    [...byIdentity].map(([id, links]) => [id, links.map(({ transaction_id }) => transaction_id)]),
  )
}

const withIdentities = async (
  query: Query,
  rows: readonly TransactionRow[],
): Promise<StoredTransaction[]> => {
  if (rows.length === 0) return []
  const links = await transactions(query)
    .selectFrom('transaction_identities')
    .selectAll()
    .where(
      'transaction_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('identity_id')
    .execute()
  const byTransaction = Map.groupBy(links, ({ transaction_id }) => transaction_id)
  return rows.map((row) =>
    toTransaction(
      row,
      (byTransaction.get(row.id) ?? []).map(({ identity_id }) => identity_id),
    ),
  )
}

const toTransaction = (row: TransactionRow, identityIds: readonly string[]): StoredTransaction => ({
  id: row.id,
  companyId: row.company_id,
  mode: row.mode,
  coinType: row.coin_type,
  type: row.type,
  ledgerId: row.ledger_id,
  fulfillments: row.fulfillments,
  sentAt: row.sent_at ?? undefined,
  identityIds,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
