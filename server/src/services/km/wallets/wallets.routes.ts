import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentityPage } from '../keys/identities.store.ts'
import { toIdentityResponses } from '../identities/identity-response.ts'
import { backUpWallet } from './back-up-wallet.ts'
import { createWallet } from './create-wallet.ts'
import { deriveAddress } from './derive-address.ts'
import { recoverWallet } from './recover-wallet.ts'
import { found, requireWallet } from './require-wallet.ts'
import { updateWallet } from './update-wallet.ts'
import { toWalletResponse } from './wallet-response.ts'
import { findWalletOfCompany } from '../keys/wallets.store.ts'
import { wipeWallet } from './wipe-wallet.ts'

export const walletRoutes = (deps: KmDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createWallet, createWallet),
    bind(operations.readWallet, async ({ database, publicUrl }, call) =>
      toWalletResponse(await requireWallet(database.query, call), publicUrl()),
    ),
    bind(operations.updateWallet, updateWallet),
    bind(operations.wipeWallet, wipeWallet),
    bind(operations.backUpWallet, backUpWallet),
    bind(operations.recoverWallet, recoverWallet),
    bind(operations.deriveWalletAddress, deriveAddress),
    bind(operations.listIdentitiesOfWallet, async ({ database: { query } }, call) => {
      const { companyId, mode } = call
      const wallet = await requireWallet(query, call)
      const rows = await listPage(
        call,
        (page) => findIdentityPage(query, { companyId, mode, walletId: wallet.id }, page),
        ({ id }) => id,
      )
      return toIdentityResponses(query, rows)
    }),
    bind(operations.readWalletOfCompany, async ({ database, publicUrl }, call) =>
      toWalletResponse(found(await findWalletOfCompany(database.query, call)), publicUrl()),
    ),
  ]
}
