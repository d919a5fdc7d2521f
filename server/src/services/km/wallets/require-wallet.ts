import type { Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findWallet, lockWallet, type StoredWallet } from '../keys/wallets.store.ts'

type CallOnOne = {
  readonly params: { readonly id: string }
  readonly companyId: string
  readonly mode: Mode
}

/** The wallet that the call names; throws `not_found`. */
export const requireWallet = async (query: Query, { params, ...call }: CallOnOne): Promise<StoredWallet> =>
  found(await findWallet(query, { ...call, id: params.id }))

/** The same wallet, locked until the transaction ends. */
export const lockRequiredWallet = async (tx: Query, { params, ...call }: CallOnOne): Promise<StoredWallet> =>
  found(await lockWallet(tx, { ...call, id: params.id }))

export const found = (wallet: StoredWallet | undefined): StoredWallet => {
  if (wallet === undefined) throw new Problem('not_found')
  return wallet
}
