import type { Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockWallet, type StoredWallet } from './wallets.store.ts'

type CallOnOne = {
  readonly params: { readonly id: string }
  readonly companyId: string
  readonly mode: Mode
}

/** The wallet a call is about, held until the transaction ends. */
export const holdWallet = async (
  tx: Transaction,
  { params, companyId, mode }: CallOnOne,
): Promise<StoredWallet> => {
  const wallet = await lockWallet(tx, { id: params.id, companyId, mode })
  if (wallet === undefined) throw new Problem('not_found')
  return wallet
}
