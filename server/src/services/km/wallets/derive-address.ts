import type { operations, WalletAddress } from '@millseal/contract'
import { didOf, encodeBase58 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KeyPath } from '../../../ports/vault/vault.ts'
import { findIdentity } from '../identities/identities.store.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findWallet } from './wallets.store.ts'

/** The one that has Ed25519 keys. */
const derivableCoinType = 822

export const deriveAddress =
  (deps: KmDependencies) =>
  async (call: Call<typeof operations.deriveWalletAddress>): Promise<WalletAddress> => {
    const { params, companyId, mode } = call
    const wallet = await findWallet(deps.database.query, { id: params.id, companyId, mode })
    if (wallet === undefined) throw new Problem('not_found')
    const path = await pathOf(deps, call)
    if (path.coinType !== derivableCoinType) {
      throw new Problem('coin_type_unsupported', { details: [`/coinType must be ${derivableCoinType}`] })
    }
    if (wallet.sealedRoot === undefined) throw new Problem('wallet_disabled')
    const publicKey = await deps.vault.derive({ walletId: wallet.id, mode, sealed: wallet.sealedRoot }, path)
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
      details: missing.map(([name]) => `/${name} is required where there is no /identity`),
    })
  }
  return { coinType, account, change, index }
}
