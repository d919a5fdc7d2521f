import { modes } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Rejection } from '../../user/index.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentityPage, lockAnyIdentity } from '../keys/identities.store.ts'
import { signCorrection } from '../transactions/sign-correction.ts'
import { recordRevocation } from './record-revocation.ts'
import { findUnrecordedRevocations } from './revocations.store.ts'
import { hasEffect } from './revoked-by.ts'
import { storeRevocation } from './store-revocation.ts'

const pageSize = 200

/** As the operator, in the same act as a rejection. Keys that were revoked since then already stay as they are. */
export const revokeKeysOf = async (
  deps: KmDependencies,
  rejection: Rejection,
  signal: AbortSignal,
): Promise<void> => {
  for (const mode of modes) {
    let after: string | undefined
    do {
      const filter = { companyId: rejection.companyId, mode }
      const page = await findIdentityPage(deps.database.query, filter, { limit: pageSize, after })
      for (const { id } of page) {
        signal.throwIfAborted()
        await deps.database.transaction((tx) => revokeKey(deps, tx, { id, rejection }))
        for (const revocation of await findUnrecordedRevocations(deps.database.query, id))
          await recordRevocation(deps, revocation, signal)
      }
      after = page.length < pageSize ? undefined : page.at(-1)?.id
    } while (after !== undefined)
  }
}

const revokeKey = async (
  deps: KmDependencies,
  tx: Transaction,
  { id, rejection }: { readonly id: string; readonly rejection: Rejection },
): Promise<void> => {
  const { since, reason, reviewerId } = rejection
  const identity = await lockAnyIdentity(tx, id)
  if (identity === undefined || !hasEffect(identity, { by: 'operator', since })) return
  const actor = { actor: `user:${reviewerId}` }
  const transaction = await signCorrection(deps, {
    mode: identity.mode,
    correction: { action: 'revoke-key', did: identity.did, since: since.toISOString(), reason },
    signatory: { role: 'operator' },
    by: actor,
    purpose: 'identities.revoke',
    tx,
  })
  await storeRevocation(deps, tx, { identity, since, reason, by: 'operator', actor, transaction })
}
