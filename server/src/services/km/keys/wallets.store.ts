import type { Mode } from '@millseal/contract'
import { type Selectable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'
import type { EncryptedRoot } from '../../../ports/vault/vault.ts'
import { whenGiven } from '../when-given.ts'

type WalletRow = Selectable<DB['wallets']>

/** With the ids of its identities, oldest first. */
export type StoredWallet = WalletRow & { readonly identities: readonly string[] }

/** Undefined if the company has a wallet in this mode. */
export const insertWallet = async (
  tx: Query,
  wallet: Omit<WalletRow, 'backedUpAt' | 'createdAt' | 'updatedAt'>,
  now: Date,
): Promise<StoredWallet | undefined> => {
  const row = await tx
    .insertInto('wallets')
    .values({ ...wallet, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.columns(['companyId', 'mode']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && { ...row, identities: [] }
}

export type WalletKey = { readonly id: string; readonly companyId: string; readonly mode: Mode }

export const findWallet = (query: Query, key: WalletKey): Promise<StoredWallet | undefined> =>
  byKey(query, key).executeTakeFirst()

/** Locked until the transaction ends. */
export const lockWallet = (tx: Query, key: WalletKey): Promise<StoredWallet | undefined> =>
  byKey(tx, key).forUpdate().executeTakeFirst()

export const findWalletOfCompany = (
  query: Query,
  { companyId, mode }: { readonly companyId: string; readonly mode: Mode },
): Promise<StoredWallet | undefined> =>
  withIdentities(query).where('companyId', '=', companyId).where('mode', '=', mode).executeTakeFirst()

/** Saves everything that can change, and returns the wallet as it is afterwards. */
export const saveWallet = async (tx: Query, wallet: StoredWallet, now: Date): Promise<StoredWallet> => {
  const { id, name, language, encryptedRoot, backedUpAt } = wallet
  await tx
    .updateTable('wallets')
    .set({ name, language, encryptedRoot, backedUpAt, updatedAt: now })
    .where('id', '=', id)
    .execute()
  return { ...wallet, updatedAt: now }
}

export type KeySteps = { readonly hasWallet: boolean; readonly hasIdentity: boolean }

/** Whether any of these companies has a wallet or an identity, in any mode. */
export const findKeySteps = async (query: Query, companyIds: readonly string[]): Promise<KeySteps> => {
  const ids = sql`any(${[...companyIds]}::uuid[])`
  const { rows } = await sql<KeySteps>`
    select exists (select from wallets where company_id = ${ids}) as has_wallet,
      exists (select from identities where company_id = ${ids}) as has_identity`.execute(query)
  return rows[0] ?? { hasWallet: false, hasIdentity: false }
}

/** Locks the next wallets that have a root, in the order of their ids, until the transaction ends. */
export const lockRoots = (tx: Query, { after, limit }: { after: string | undefined; limit: number }) =>
  tx
    .selectFrom('wallets')
    .select(['id', 'mode', 'encryptedRoot'])
    .where('encryptedRoot', 'is not', null)
    .$narrowType<{ encryptedRoot: EncryptedRoot }>()
    .$call(whenGiven(after, (wallets, id) => wallets.where('id', '>', id)))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

/** `updatedAt` stays: the root is the same, encrypted with another key. */
export const saveRoot = async (tx: Query, id: string, encryptedRoot: EncryptedRoot): Promise<void> => {
  await tx.updateTable('wallets').set({ encryptedRoot }).where('id', '=', id).execute()
}

const withIdentities = (query: Query) =>
  query
    .selectFrom('wallets')
    .selectAll()
    .select(
      sql<
        string[]
      >`array(select i.id::text from identities i where i.wallet_id = wallets.id order by i.id)`.as(
        'identities',
      ),
    )

const byKey = (query: Query, { id, companyId, mode }: WalletKey) =>
  withIdentities(query).where('id', '=', id).where('companyId', '=', companyId).where('mode', '=', mode)
