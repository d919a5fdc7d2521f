import type { operations, Wallet } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { KmDependencies } from '../dependencies.ts'
import { changeStatuses } from '../identities/change-statuses.ts'
import { recordWalletChange } from './record-wallet-change.ts'
import { lockRequiredWallet } from './require-wallet.ts'
import { toWalletResponse } from './wallet-response.ts'
import { saveWallet } from '../keys/wallets.store.ts'

/** Deletes the root; only its mnemonic recovers the keys. Wiping a wiped wallet changes nothing. */
export const wipeWallet = async (
  deps: KmDependencies,
  call: Call<typeof operations.wipeWallet>,
): Promise<Wallet> => {
  const wiped = await call.commit(async (tx) => {
    const before = await lockRequiredWallet(tx, call)
    if (before.encryptedRoot === null) return toWalletResponse(before, deps.publicUrl())
    const now = new Date(deps.clock.now())
    await changeStatuses(deps, tx, { wallet: before, statusOf: async () => 'obsolete' })
    const stored = await saveWallet(tx, { ...before, encryptedRoot: null }, now)
    return recordWalletChange(deps, tx, { call, action: 'wallets.wipe', event: 'delete_one', stored })
  })
  deps.vault.forget(wiped.id)
  return wiped
}
