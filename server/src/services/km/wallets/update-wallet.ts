import type { operations, Wallet } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { holdWallet } from './hold-wallet.ts'
import { recordChange } from './record-change.ts'
import { toWalletResponse } from './wallet-response.ts'
import { saveWallet } from './wallets.store.ts'

export const updateWallet =
  (deps: KmDependencies) =>
  async (call: Call<typeof operations.updateWallet>): Promise<Wallet> => {
    const { params, body } = call
    if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase()) {
      throw new Problem('id_mismatch')
    }
    return call.commit(async (tx) => {
      const stored = await holdWallet(tx, call)
      if (body.name === undefined || body.name === stored.name) {
        return toWalletResponse(stored, deps.publicUrl())
      }
      const renamed = await saveWallet(tx, { ...stored, name: body.name }, new Date(deps.clock.now()))
      const wallet = toWalletResponse(renamed, deps.publicUrl())
      const change = { action: 'wallets.update', event: 'update_one', wallet } as const
      await recordChange(deps, tx, { by: call, change })
      return wallet
    })
  }
