import type { Transaction } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { StoredWallet } from '../wallets/wallets.store.ts'
import { toIdentityResponses } from './identity-response.ts'
import { lockIdentitiesOf, type StoredIdentity, saveIdentityStatus } from './identities.store.ts'

type Change = {
  readonly wallet: Pick<StoredWallet, 'id' | 'companyId' | 'mode'>
  /** What each is from now on: obsolete without its key, valid again when the key is back. */
  readonly statusOf: (identity: StoredIdentity) => Promise<StoredIdentity['status']>
}

/** Follows a change of the wallet, in its transaction; tells of the identities that it touched. */
export const changeStatuses =
  ({ clock, outbox }: Pick<KmDependencies, 'clock' | 'outbox'>) =>
  async (tx: Transaction, { wallet, statusOf }: Change): Promise<void> => {
    const now = new Date(clock.now())
    const changed: StoredIdentity[] = []
    for (const identity of await lockIdentitiesOf(tx, wallet.id)) {
      const status = await statusOf(identity)
      if (status !== identity.status) changed.push({ ...identity, status, updatedAt: now })
    }
    for (const status of ['valid', 'obsolete'] as const) {
      const ids = changed.filter((one) => one.status === status).map(({ id }) => id)
      await saveIdentityStatus(tx, { ids, status }, now)
    }
    for (const payload of await toIdentityResponses(tx, changed)) {
      await outbox.write(tx, {
        resource: 'identities',
        action: 'update_one',
        owner: { kind: 'company', id: wallet.companyId },
        mode: wallet.mode,
        payload,
      })
    }
  }
