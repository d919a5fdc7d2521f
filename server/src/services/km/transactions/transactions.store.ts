import type { Mode, TransactionKind } from '@millseal/contract'
import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, sql, type SqlBool } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { commitLater } from '../../../ports/database/commit-later.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'
import { whenGiven } from '../when-given.ts'

type TransactionRow = Selectable<DB['transactions']>

/** With the identities of the company that signed it. */
export type StoredTransaction = TransactionRow & { readonly identityIds: readonly string[] }

export type NewTransaction = Omit<TransactionRow, 'draft' | 'createdAt' | 'updatedAt'> & {
  /** Identities of the company with one of these keys are linked to the transaction. */
  readonly publicKeys: readonly string[]
  readonly draft?: string
}

/** Returns those that it stored: not those that the company has stored before. */
export const insertTransactions = async (
  tx: Query,
  transactions: readonly NewTransaction[],
  { now, commit }: { readonly now: Date; readonly commit?: 'later' },
): Promise<StoredTransaction[]> => {
  const { rows } = await sql<StoredTransaction>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(transactions)}::json) as g (
        "id" uuid, "companyId" uuid, "mode" text, "coinType" integer, "type" text, "kind" text, "subject" text,
        "ledgerId" text, "fulfillments" json, "draft" text, "sentAt" timestamptz, "publicKeys" json
      )
    ), inserted as (
      insert into transactions
        (id, company_id, mode, coin_type, type, kind, subject, ledger_id, fulfillments, draft, sent_at, created_at, updated_at)
      select id, "companyId", mode, "coinType", type, kind, subject, "ledgerId",
        array(select json_array_elements_text(fulfillments)), draft, "sentAt", ${now}, ${now}
      from given
      on conflict (company_id, mode, ledger_id) do nothing
      returning *
    ), linked as (
      insert into transaction_identities (identity_id, transaction_id)
      select i.id, inserted.id from inserted join given using (id)
      join identities i on i.company_id = inserted.company_id and i.mode = inserted.mode
        and i.public_key = any(array(select json_array_elements_text("publicKeys")))
      returning identity_id, transaction_id
    )
    select inserted.*,
      array(select identity_id from linked where transaction_id = inserted.id order by identity_id) as identity_ids
      ${commit === 'later' ? sql`, ${commitLater} as commit` : sql``}
    from inserted`.execute(tx)
  return rows
}

/** Returns false if it was marked as sent before. */
export const markSent = async (tx: Query, id: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('transactions')
    .set({ sentAt: now, draft: null, updatedAt: now })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type OwnedBy = { readonly companyId: string; readonly mode: Mode }

export type TransactionFilter = OwnedBy & {
  readonly kind: TransactionKind | undefined
  /** An identity that signed it. */
  readonly identity: string | undefined
  /** The id on the ledger of the transaction or of the one that it corrects, or its subject. */
  readonly about: string | undefined
}

/** Newest first. */
export const findTransactionPage = (
  query: Query,
  filter: TransactionFilter,
  { limit, after }: Page,
): Promise<StoredTransaction[]> =>
  ownedBy(query, filter)
    .where(narrowedTo(filter))
    .$call(whenGiven(after, (found, id) => found.where('id', '<', id)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Counts no further than `atMost`. */
export const countTransactions = async (
  query: Query,
  filter: TransactionFilter,
  atMost: number,
): Promise<number> => {
  const counted = query
    .selectFrom('transactions')
    .select('id')
    .where('companyId', '=', filter.companyId)
    .where('mode', '=', filter.mode)
    .where(narrowedTo(filter))
    .limit(atMost)
  const { count } = await query
    .selectFrom(counted.as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const narrowedTo =
  ({ kind, identity, about }: TransactionFilter) =>
  (of: ExpressionBuilder<DB, 'transactions'>): ExpressionWrapper<DB, 'transactions', SqlBool> => {
    const conditions: ExpressionWrapper<DB, 'transactions', SqlBool>[] = []
    if (kind !== undefined) conditions.push(of('kind', '=', kind))
    if (about !== undefined) conditions.push(of.or([of('ledgerId', '=', about), of('subject', '=', about)]))
    if (identity !== undefined) {
      const signed = of
        .selectFrom('transactionIdentities')
        .select('transactionId')
        .where('identityId', '=', identity)
      conditions.push(of('id', 'in', signed))
    }
    return of.and(conditions)
  }

export const findTransaction = (
  query: Query,
  { id, ...owner }: OwnedBy & { readonly id: string },
): Promise<StoredTransaction | undefined> => ownedBy(query, owner).where('id', '=', id).executeTakeFirst()

export const findTransactionByLedgerId = (
  query: Query,
  { ledgerId, ...owner }: OwnedBy & { readonly ledgerId: string },
): Promise<StoredTransaction | undefined> =>
  ownedBy(query, owner).where('ledgerId', '=', ledgerId).executeTakeFirst()

export const findDraft = async (query: Query, id: string): Promise<string | undefined> => {
  const row = await query.selectFrom('transactions').select('draft').where('id', '=', id).executeTakeFirst()
  return row?.draft ?? undefined
}

/** The newest transactions of each identity, newest first. */
export const findTransactionIds = async (
  query: Query,
  identityIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { rows } = await sql<Selectable<DB['transactionIdentities']>>`
    select asked.id as identity_id, newest.transaction_id
    from unnest(${[...identityIds]}::uuid[]) as asked (id)
    cross join lateral (
      select transaction_id from transaction_identities
      where identity_id = asked.id order by transaction_id desc limit ${limit}
    ) as newest`.execute(query)
  const byIdentity = Map.groupBy(rows, ({ identityId }) => identityId)
  return new Map([...byIdentity].map(([id, links]) => [id, links.map(({ transactionId }) => transactionId)]))
}

const ownedBy = (query: Query, { companyId, mode }: OwnedBy) =>
  query
    .selectFrom('transactions')
    .selectAll()
    .select(
      sql<string[]>`array(
        select identity_id from transaction_identities where transaction_id = transactions.id order by identity_id
      )`.as('identityIds'),
    )
    .where('companyId', '=', companyId)
    .where('mode', '=', mode)
