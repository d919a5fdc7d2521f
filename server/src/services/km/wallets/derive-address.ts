import type { operations, WalletAddress } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { didOf, encodeBase58 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KeyPath } from '../../../ports/vault/vault.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentity } from '../keys/identities.store.ts'
import { requireWallet } from './require-wallet.ts'

export const deriveAddress = async (
  deps: KmDependencies,
  call: Call<typeof operations.deriveWalletAddress>,
): Promise<WalletAddress> => {
  const { id: walletId, mode, encryptedRoot } = await requireWallet(deps.database.query, call)
  const path = await pathOf(deps, call)
  if (path.coinType !== ledgerCoinType) {
    throw new Problem('coin_type_unsupported', {
      reasons: [because('must_be', { value: ledgerCoinType, place: '/coinType' })],
    })
  }
  if (encryptedRoot === null) throw new Problem('wallet_disabled')
  const publicKey = await deps.vault.derive({ walletId, mode, encrypted: encryptedRoot }, path)
  return { publicKey: encodeBase58(publicKey), did: didOf(publicKey) }
}

const pathOf = async (
  { database }: KmDependencies,
  { params, body, companyId }: Call<typeof operations.deriveWalletAddress>,
): Promise<KeyPath> => {
  if (body.identity !== undefined) {
    const identity = await findIdentity(database.query, { id: body.identity.id, companyId })
    if (identity?.walletId !== params.id.toLowerCase()) throw new Problem('not_found')
    return identity
  }
  const { coinType, account, index, change = 0 } = body
  if (coinType === undefined || account === undefined || index === undefined) {
    const missing = Object.entries({ coinType, account, index }).filter(([, value]) => value === undefined)
    throw new Problem('validation_failed', {
      reasons: missing.map(([name]) => because('required_without_identity', { place: `/${name}` })),
    })
  }
  return { coinType, account, change, index }
}
