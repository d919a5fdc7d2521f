import type { Transaction } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { StoredWallet } from '../keys/wallets.store.ts'
import { toIdentityResponses } from './identity-response.ts'
import { lockIdentitiesOf, type StoredIdentity, saveIdentityStatus } from '../keys/identities.store.ts'

type Change = {
  readonly wallet: StoredWallet
  /** Obsolete if the wallet has lost the key, valid if the key is back. */
  readonly statusOf: (identity: StoredIdentity) => Promise<'valid' | 'obsolete'>
}

/** Updates the identities of a wallet whose root changed, and writes an event for each whose status changed. */
export const changeStatuses = async (
  { clock, outbox }: KmDependencies,
  tx: Transaction,
  { wallet, statusOf }: Change,
): Promise<void> => {
  const updatedAt = new Date(clock.now())
  const changed: StoredIdentity[] = []
  for (const identity of await lockIdentitiesOf(tx, wallet.id)) {
    // A revoked key is never valid again.
    if (identity.status === 'revoked') continue
    const status = await statusOf(identity)
    if (status !== identity.status) changed.push({ ...identity, status, updatedAt })
  }
  for (const status of ['valid', 'obsolete'] as const) {
    const ids = changed.filter((identity) => identity.status === status).map(({ id }) => id)
    await saveIdentityStatus(tx, ids, { status, updatedAt })
  }
  const { companyId, mode } = wallet
  const owner = { kind: 'company', id: companyId } as const
  for (const payload of await toIdentityResponses(tx, changed)) {
    await outbox.write(tx, { resource: 'identities', action: 'update_one', owner, mode, payload })
  }
}
