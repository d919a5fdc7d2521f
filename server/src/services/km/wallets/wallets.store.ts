import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { MnemonicLanguage, SealedRoot } from '../../../ports/vault/vault.ts'

export type StoredWallet = {
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  readonly name: string
  readonly language: MnemonicLanguage
  /** None once the wallet was wiped: it is then disabled. */
  readonly sealedRoot: SealedRoot | undefined
  readonly backedUpAt: Date | undefined
  /** Oldest first. */
  readonly identities: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

type WalletRow = {
  id: string
  company_id: string
  mode: Mode
  name: string
  language: MnemonicLanguage
  sealed_root: Uint8Array | null
  backed_up_at: Date | null
  created_at: Date
  updated_at: Date
}
type WalletTables = { wallets: WalletRow; identities: { wallet_id: string } }

const wallets = (query: Query) => query.withTables<WalletTables>()

export type NewWallet = Pick<StoredWallet, 'id' | 'companyId' | 'mode' | 'name' | 'language'> & {
  readonly sealedRoot: SealedRoot
}

/** Nothing when the company has a wallet in this mode already. */
export const insertWallet = async (
  tx: Query,
  wallet: NewWallet,
  now: Date,
): Promise<StoredWallet | undefined> => {
  const row = await wallets(tx)
    .insertInto('wallets')
    .values({
      id: wallet.id,
      company_id: wallet.companyId,
      mode: wallet.mode,
      name: wallet.name,
      language: wallet.language,
      sealed_root: wallet.sealedRoot,
      backed_up_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'mode']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toWallet({ ...row, identities: [] })
}

export type WalletKey = { readonly id: string; readonly companyId: string; readonly mode: Mode }

export const findWallet = async (query: Query, key: WalletKey): Promise<StoredWallet | undefined> => {
  const row = await oneWallet(query, key).executeTakeFirst()
  return row && toWallet(row)
}

/** Held until the transaction ends. */
export const lockWallet = async (tx: Query, key: WalletKey): Promise<StoredWallet | undefined> => {
  const row = await oneWallet(tx, key).forUpdate().executeTakeFirst()
  return row && toWallet(row)
}

export const findWalletOfCompany = async (
  query: Query,
  { companyId, mode }: Pick<WalletKey, 'companyId' | 'mode'>,
): Promise<StoredWallet | undefined> => {
  const row = await withIdentities(query)
    .where('company_id', '=', companyId)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return row && toWallet(row)
}

/** Everything that can change; resolves with the wallet as it is then. */
export const saveWallet = async (tx: Query, wallet: StoredWallet, now: Date): Promise<StoredWallet> => {
  await wallets(tx)
    .updateTable('wallets')
    .set({
      name: wallet.name,
      language: wallet.language,
      sealed_root: wallet.sealedRoot ?? null,
      backed_up_at: wallet.backedUpAt ?? null,
      updated_at: now,
    })
    .where('id', '=', wallet.id)
    .execute()
  return { ...wallet, updatedAt: now }
}

export type KeySteps = { readonly hasWallet: boolean; readonly hasIdentity: boolean }

/** Of any of these companies, in any mode. */
export const findKeySteps = async (query: Query, companyIds: readonly string[]): Promise<KeySteps> => {
  const ids = sql`any(${[...companyIds]}::uuid[])`
  const { rows } = await sql<{ has_wallet: boolean; has_identity: boolean }>`
    select exists (select from wallets where company_id = ${ids}) as has_wallet,
      exists (select from identities where company_id = ${ids}) as has_identity`.execute(query)
  return { hasWallet: rows[0]?.has_wallet ?? false, hasIdentity: rows[0]?.has_identity ?? false }
}

/** The next rows that have a root, in the order of their ids, held until the transaction ends. */
export const lockRoots = async (
  tx: Query,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ id: string; mode: Mode; sealedRoot: SealedRoot }[]> => {
  const rows = await wallets(tx)
    .selectFrom('wallets')
    .select(['id', 'mode', 'sealed_root'])
    .where('sealed_root', 'is not', null)
    .$if(after !== undefined, (some) => some.where('id', '>', after ?? null))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
  return rows.flatMap(({ id, mode, sealed_root }) =>
    sealed_root === null ? [] : [{ id, mode, sealedRoot: sealed_root }],
  )
}

/** The same root under another key: nothing that anybody could see has changed. */
export const saveRoot = async (tx: Query, id: string, sealedRoot: SealedRoot): Promise<void> => {
  await wallets(tx).updateTable('wallets').set({ sealed_root: sealedRoot }).where('id', '=', id).execute()
}

const withIdentities = (query: Query) =>
  wallets(query)
    .selectFrom('wallets')
    .selectAll()
    .select(
      sql<
        string[]
      >`array(select i.id::text from identities i where i.wallet_id = wallets.id order by i.id)`.as(
        'identities',
      ),
    )

const oneWallet = (query: Query, { id, companyId, mode }: WalletKey) =>
  withIdentities(query).where('id', '=', id).where('company_id', '=', companyId).where('mode', '=', mode)

const toWallet = (row: WalletRow & { identities: string[] }): StoredWallet => ({
  id: row.id,
  companyId: row.company_id,
  mode: row.mode,
  name: row.name,
  language: row.language,
  sealedRoot: row.sealed_root ?? undefined,
  backedUpAt: row.backed_up_at ?? undefined,
  identities: row.identities,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
