import type { Mode } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { KeyPath, WalletRoot } from '../../../ports/vault/vault.ts'
import { findIdentitiesWithRoot, type IdentityWithRoot } from './identities.store.ts'

/** An identity that can sign. */
export type SigningIdentity = {
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  readonly publicKey: string
  readonly did: string
}

/** With the root and path of its key, which stay inside km-service. */
export type IdentityWithKey = SigningIdentity & { readonly root: WalletRoot; readonly path: KeyPath }

export type SigningIdentityKey = {
  readonly identityId: string
  readonly companyId: string
  readonly mode: Mode
}

/** Throws `not_found` for an identity of another company, `identity_not_usable` if it cannot sign in this mode. */
export const findIdentityWithKey = async (query: Query, key: SigningIdentityKey): Promise<IdentityWithKey> =>
  usableIdentity((await findIdentitiesWithRoot(query, [key.identityId])).get(key.identityId), key)

export const usableIdentity = (
  identity: IdentityWithRoot | undefined,
  { companyId, mode }: SigningIdentityKey,
): IdentityWithKey => {
  if (identity === undefined || identity.companyId !== companyId) throw new Problem('not_found')
  if (identity.mode !== mode) throw notUsable(because('identity_of_other_mode', { mode: identity.mode }))
  if (identity.status === 'revoked') throw notUsable(because('identity_revoked'))
  if (identity.status !== 'valid') throw notUsable(because('identity_obsolete'))
  const { id, publicKey, did, coinType, account, change, index, walletId, encryptedRoot } = identity
  if (encryptedRoot === null) throw notUsable(because('identity_wallet_disabled'))
  return {
    id,
    companyId,
    mode,
    publicKey,
    did,
    root: { walletId, mode, encrypted: encryptedRoot },
    path: { coinType, account, change, index },
  }
}

const notUsable = (reason: Reason): Problem => new Problem('identity_not_usable', { reasons: [reason] })
