import type { operations, Wallet } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { changeStatuses } from '../identities/change-statuses.ts'
import type { KmDependencies } from '../dependencies.ts'
import { holdWallet } from './hold-wallet.ts'
import { recordChange } from './record-change.ts'
import { toWalletResponse } from './wallet-response.ts'
import { saveWallet } from './wallets.store.ts'

/** Deletes the root; only its mnemonic brings the keys back. A wallet that is wiped already stays as it is. */
export const wipeWallet =
  (deps: KmDependencies) =>
  async (call: Call<typeof operations.wipeWallet>): Promise<Wallet> => {
    const wiped = await call.commit(async (tx) => {
      const stored = await holdWallet(tx, call)
      if (stored.sealedRoot === undefined) return toWalletResponse(stored, deps.publicUrl())
      const now = new Date(deps.clock.now())
      await changeStatuses(deps)(tx, { wallet: stored, statusOf: async () => 'obsolete' })
      const saved = await saveWallet(tx, { ...stored, sealedRoot: undefined }, now)
      const wallet = toWalletResponse(saved, deps.publicUrl())
      const change = { action: 'wallets.wipe', event: 'delete_one', wallet } as const
      await recordChange(deps, tx, { by: call, change })
      return wallet
    })
    deps.vault.forget(wiped.id)
    return wiped
  }
