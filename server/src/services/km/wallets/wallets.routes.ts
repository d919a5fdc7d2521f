import { operations, type Wallet } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { toIdentityResponses } from '../identities/identity-response.ts'
import { findIdentityPage } from '../identities/identities.store.ts'
import { backUpWallet } from './back-up-wallet.ts'
import { createWallet } from './create-wallet.ts'
import type { KmDependencies } from '../dependencies.ts'
import { deriveAddress } from './derive-address.ts'
import { recoverWallet } from './recover-wallet.ts'
import { updateWallet } from './update-wallet.ts'
import { toWalletResponse } from './wallet-response.ts'
import { findWallet, findWalletOfCompany, type StoredWallet } from './wallets.store.ts'
import { wipeWallet } from './wipe-wallet.ts'

export const walletRoutes = (deps: KmDependencies): readonly Binding[] => {
  const { query } = deps.database
  const show = (wallet: StoredWallet | undefined): Wallet => {
    if (wallet === undefined) throw new Problem('not_found')
    return toWalletResponse(wallet, deps.publicUrl())
  }
  return [
    bind(operations.createWallet, createWallet(deps)),
    bind(operations.readWallet, async ({ params, companyId, mode }) =>
      show(await findWallet(query, { id: params.id, companyId, mode })),
    ),
    bind(operations.updateWallet, updateWallet(deps)),
    bind(operations.wipeWallet, wipeWallet(deps)),
    bind(operations.backUpWallet, backUpWallet(deps)),
    bind(operations.recoverWallet, recoverWallet(deps)),
    bind(operations.deriveWalletAddress, deriveAddress(deps)),
    bind(operations.listIdentitiesOfWallet, async (call) => {
      const { params, companyId, mode } = call
      const wallet = show(await findWallet(query, { id: params.id, companyId, mode }))
      const rows = await listPage(
        call,
        (page) => findIdentityPage(query, { companyId, mode, walletId: wallet.id }, page),
        ({ id }) => id,
      )
      return toIdentityResponses(query, rows)
    }),
    bind(operations.readWalletOfCompany, async ({ companyId, mode }) =>
      show(await findWalletOfCompany(query, { companyId, mode })),
    ),
  ]
}
