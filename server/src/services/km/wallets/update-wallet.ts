import type { operations, Wallet } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordWalletChange } from './record-wallet-change.ts'
import { lockRequiredWallet } from './require-wallet.ts'
import { toWalletResponse } from './wallet-response.ts'
import { saveWallet } from '../keys/wallets.store.ts'

export const updateWallet = async (
  deps: KmDependencies,
  call: Call<typeof operations.updateWallet>,
): Promise<Wallet> => {
  const { params, body } = call
  const { id, name } = body
  if (id !== undefined && id.toLowerCase() !== params.id.toLowerCase()) throw new Problem('id_mismatch')
  return call.commit(async (tx) => {
    const before = await lockRequiredWallet(tx, call)
    if (name === undefined || name === before.name) return toWalletResponse(before, deps.publicUrl())
    const stored = await saveWallet(tx, { ...before, name }, new Date(deps.clock.now()))
    return recordWalletChange(deps, tx, { call, action: 'wallets.update', event: 'update_one', stored })
  })
}
