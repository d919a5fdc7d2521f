import type { Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { KeyPath, WalletRoot } from '../../../ports/vault/vault.ts'
import { findIdentityWithRoot } from './identities.store.ts'

/** An identity that was found able to sign. */
export type SigningIdentity = {
  readonly id: string
  readonly companyId: string
  readonly mode: Mode
  readonly publicKey: string
  readonly did: string
}

/** The same with where its key is; it does not leave this room. */
export type IdentityWithKey = SigningIdentity & { readonly root: WalletRoot; readonly path: KeyPath }

export type SigningIdentityKey = {
  readonly identityId: string
  readonly companyId: string
  readonly mode: Mode
}

/** Throws `not_found` for the identity of somebody else, `identity_not_usable` for one that cannot sign here. */
export const findIdentityWithKey = async (
  query: Query,
  { identityId, companyId, mode }: SigningIdentityKey,
): Promise<IdentityWithKey> => {
  const identity = await findIdentityWithRoot(query, { id: identityId, companyId })
  if (identity === undefined) throw new Problem('not_found')
  if (identity.mode !== mode) {
    throw new Problem('identity_not_usable', { details: [`The identity belongs to ${identity.mode} mode`] })
  }
  if (identity.status !== 'valid') {
    throw new Problem('identity_not_usable', { details: ['The identity is obsolete: its wallet was wiped'] })
  }
  const { sealedRoot, walletId } = identity
  if (sealedRoot === undefined) {
    throw new Problem('identity_not_usable', { details: ['The wallet of the identity is disabled'] })
  }
  const { id, publicKey, did, coinType, account, change, index } = identity
  return {
    id,
    companyId,
    mode,
    publicKey,
    did,
    root: { walletId, mode, sealed: sealedRoot },
    path: { coinType, account, change, index },
  }
}
