import type { operations, WalletWithKey } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordWalletChange } from './record-wallet-change.ts'
import { lockRequiredWallet } from './require-wallet.ts'
import { toWalletWithKey } from './wallet-response.ts'
import { saveWallet } from '../keys/wallets.store.ts'

/** Shows the mnemonic once more and deletes it: from then on the wallet signs with the seed alone. */
export const backUpWallet = async (
  deps: KmDependencies,
  call: Call<typeof operations.backUpWallet>,
): Promise<WalletWithKey> => {
  // Applications cannot sign in again; for them the scope decides.
  if (call.principal.kind === 'user') assertRecentSignIn(call.principal, deps.clock)
  return call.commit(async (tx) => {
    const before = await lockRequiredWallet(tx, call)
    const { id: walletId, mode, encryptedRoot } = before
    if (encryptedRoot === null) throw new Problem('wallet_disabled')
    if (before.backedUpAt !== null) throw new Problem('wallet_backed_up')
    const root = { walletId, mode, encrypted: encryptedRoot }
    const words = await deps.vault.revealMnemonic(root)
    const now = new Date(deps.clock.now())
    const withoutMnemonic = await deps.vault.withoutMnemonic(root)
    const stored = await saveWallet(tx, { ...before, encryptedRoot: withoutMnemonic, backedUpAt: now }, now)
    const change = { call, action: 'wallets.back_up', event: 'update_one', stored } as const
    return toWalletWithKey(await recordWalletChange(deps, tx, change), words, call)
  })
}
