import type { operations, WalletWithKey } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { holdWallet } from './hold-wallet.ts'
import { recordChange } from './record-change.ts'
import { toWalletResponse, toWalletWithKey } from './wallet-response.ts'
import { saveWallet } from './wallets.store.ts'

/** Shows the words once more and forgets them: from then on the wallet signs with the seed alone. */
export const backUpWallet =
  (deps: KmDependencies) =>
  async (call: Call<typeof operations.backUpWallet>): Promise<WalletWithKey> => {
    // An application cannot sign in again: it was given the scope for this, or it was not.
    if (call.principal.kind === 'user') assertRecentSignIn(call.principal, deps.clock)
    return call.commit(async (tx) => {
      const stored = await holdWallet(tx, call)
      const { id: walletId, mode, sealedRoot } = stored
      if (sealedRoot === undefined) throw new Problem('wallet_disabled')
      if (stored.backedUpAt !== undefined) throw new Problem('wallet_backed_up')
      const root = { walletId, mode, sealed: sealedRoot }
      const words = await deps.vault.revealMnemonic(root)
      const now = new Date(deps.clock.now())
      const saved = await saveWallet(
        tx,
        { ...stored, sealedRoot: await deps.vault.withoutMnemonic(root), backedUpAt: now },
        now,
      )
      const wallet = toWalletResponse(saved, deps.publicUrl())
      const change = { action: 'wallets.back_up', event: 'update_one', wallet } as const
      await recordChange(deps, tx, { by: call, change })
      return toWalletWithKey(wallet, words, call)
    })
  }
