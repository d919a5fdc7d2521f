import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { SealedRoot } from '../../../ports/vault/vault.ts'

export type StoredIdentity = {
  readonly id: string
  readonly walletId: string
  readonly companyId: string
  readonly mode: Mode
  readonly coinType: number
  readonly account: number
  readonly change: number
  readonly index: number
  readonly publicKey: string
  readonly did: string
  readonly status: 'valid' | 'obsolete'
  readonly publicationId: string | undefined
  readonly notarizedAt: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type IdentityRow = {
  id: string
  wallet_id: string
  company_id: string
  mode: Mode
  coin_type: number
  account: number
  change: number
  index: number
  public_key: string
  did: string
  status: 'valid' | 'obsolete'
  publication_id: string | null
  notarized_at: Date | null
  created_at: Date
  updated_at: Date
}
type IdentityTables = { identities: IdentityRow }

const identities = (query: Query) => query.withTables<IdentityTables>()

export type NewIdentity = Omit<
  StoredIdentity,
  'status' | 'publicationId' | 'notarizedAt' | 'createdAt' | 'updatedAt'
>

/** Nothing when another identity of the mode has this key. */
export const insertIdentity = async (
  tx: Query,
  identity: NewIdentity,
  now: Date,
): Promise<StoredIdentity | undefined> => {
  const row = await identities(tx)
    .insertInto('identities')
    .values({
      id: identity.id,
      wallet_id: identity.walletId,
      company_id: identity.companyId,
      mode: identity.mode,
      coin_type: identity.coinType,
      account: identity.account,
      change: identity.change,
      index: identity.index,
      public_key: identity.publicKey,
      did: identity.did,
      status: 'valid',
      publication_id: null,
      notarized_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['mode', 'public_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toIdentity(row)
}

type Branch = Pick<StoredIdentity, 'walletId' | 'coinType' | 'account' | 'change'>

/** To be asked with the wallet held: two that ask at once would be told the same. */
export const nextIndex = async (
  tx: Query,
  { walletId, coinType, account, change }: Branch,
): Promise<number> => {
  const { next } = await identities(tx)
    .selectFrom('identities')
    .select(sql<number>`coalesce(max(index), -1) + 1`.as('next'))
    .where('wallet_id', '=', walletId)
    .where('coin_type', '=', coinType)
    .where('account', '=', account)
    .where('change', '=', change)
    .executeTakeFirstOrThrow()
  return next
}

export type IdentityFilter = {
  readonly companyId: string
  readonly mode: Mode
  readonly walletId?: string
  readonly coinType?: number
  readonly account?: number
  readonly index?: number
  readonly status?: StoredIdentity['status']
}

/** Newest first. */
export const findIdentityPage = async (
  query: Query,
  { companyId, mode, walletId, coinType, account, index, status }: IdentityFilter,
  { limit, after }: Page,
): Promise<StoredIdentity[]> => {
  const rows = await identities(query)
    .selectFrom('identities')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('mode', '=', mode)
    .$if(walletId !== undefined, (some) => some.where('wallet_id', '=', walletId ?? null))
    .$if(coinType !== undefined, (some) => some.where('coin_type', '=', coinType ?? null))
    .$if(account !== undefined, (some) => some.where('account', '=', account ?? null))
    .$if(index !== undefined, (some) => some.where('index', '=', index ?? null))
    .$if(status !== undefined, (some) => some.where('status', '=', status ?? null))
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toIdentity)
}

export type IdentityKey = { readonly id: string; readonly companyId: string }

/** With what its wallet holds, in one statement: every signature begins with it. */
export const findIdentityWithRoot = async (
  query: Query,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): Promise<(StoredIdentity & { readonly sealedRoot: SealedRoot | undefined }) | undefined> => {
  const row = await query
    .withTables<IdentityTables & { wallets: { id: string; sealed_root: SealedRoot | null } }>()
    .selectFrom('identities')
    .innerJoin('wallets', 'wallets.id', 'identities.wallet_id')
    .selectAll('identities')
    .select('wallets.sealed_root')
    .where('identities.id', '=', id)
    .where('identities.company_id', '=', companyId)
    .executeTakeFirst()
  return row && { ...toIdentity(row), sealedRoot: row.sealed_root ?? undefined }
}

export const findIdentity = async (
  query: Query,
  { id, companyId }: IdentityKey,
): Promise<StoredIdentity | undefined> => {
  const row = await identities(query)
    .selectFrom('identities')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return row && toIdentity(row)
}

/** Held until the transaction ends. */
export const lockIdentity = async (
  tx: Query,
  { id, companyId }: IdentityKey,
): Promise<StoredIdentity | undefined> => {
  const row = await identities(tx)
    .selectFrom('identities')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  return row && toIdentity(row)
}

/** All of a wallet, in the order of their making, held until the transaction ends. */
export const lockIdentitiesOf = async (tx: Query, walletId: string): Promise<StoredIdentity[]> => {
  const rows = await identities(tx)
    .selectFrom('identities')
    .selectAll()
    .where('wallet_id', '=', walletId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(toIdentity)
}

export const saveIdentityStatus = async (
  tx: Query,
  { ids, status }: { ids: readonly string[]; status: StoredIdentity['status'] },
  now: Date,
): Promise<void> => {
  if (ids.length === 0) return
  await identities(tx)
    .updateTable('identities')
    .set({ status, updated_at: now })
    .where('id', 'in', [...ids])
    .execute()
}

export const savePublication = async (
  tx: Query,
  { id, publicationId, notarizedAt }: { id: string; publicationId: string; notarizedAt: Date | null },
  now: Date,
): Promise<void> => {
  await identities(tx)
    .updateTable('identities')
    .set({ publication_id: publicationId, notarized_at: notarizedAt, updated_at: now })
    .where('id', '=', id)
    .execute()
}

export const toIdentity = (row: IdentityRow): StoredIdentity => ({
  id: row.id,
  walletId: row.wallet_id,
  companyId: row.company_id,
  mode: row.mode,
  coinType: row.coin_type,
  account: row.account,
  change: row.change,
  index: row.index,
  publicKey: row.public_key,
  did: row.did,
  status: row.status,
  publicationId: row.publication_id ?? undefined,
  notarizedAt: row.notarized_at ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
