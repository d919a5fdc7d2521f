import type { Mfa } from '@millseal/contract'
import { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { StoredFactor } from './factors.store.ts'
import type { TotpSecret } from './totp.ts'

const confirmationMs = 60 * 60 * 1_000

/** Unconfirmed authenticators created before this time have expired. */
export const unconfirmedAfter = (nowMs: number): Date => new Date(nowMs - confirmationMs)

export const encryptTotpSecret = (
  keystore: Keystore,
  { id, secret }: { id: string; secret: TotpSecret },
): Uint8Array => keystore.encrypt(secret.reveal(), contextOf(id))

export const decryptTotpSecret = (keystore: Keystore, { id, encryptedSecret }: StoredFactor): TotpSecret =>
  new Secret(keystore.decrypt(encryptedSecret, contextOf(id)))

const contextOf = (id: string): string => `mfa_factors/${id}`

export const toAuthenticator = (factor: StoredFactor): Mfa['authenticators'][number] => ({
  id: factor.id,
  name: factor.name,
  confirmed: factor.confirmedAt !== null,
  createdAt: factor.createdAt.toISOString(),
  lastUsedAt: factor.lastUsedAt?.toISOString(),
})
