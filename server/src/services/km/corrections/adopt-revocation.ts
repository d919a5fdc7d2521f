import type { Mode } from '@millseal/contract'
import { canonicalLedgerText, readCorrection, type SignedTransaction, signerOf } from '@millseal/proof'
import type { Transaction } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import { lockIdentityWithDid } from '../keys/identities.store.ts'
import { finishRevocation } from './record-revocation.ts'
import { reportRevokedIdentity } from './report-revoked-identity.ts'
import { findRevocation, insertRevocation, saveRevoked } from './revocations.store.ts'
import { hasEffect, revokedBy } from './revoked-by.ts'

type RecordedRevocation = {
  readonly mode: Mode
  readonly transaction: SignedTransaction
  /** When the log recorded it. */
  readonly time: string
}

/**
 * Revokes the identity that an entry of the log revokes, for example one that was signed offline with the recovery key. An
 * entry of a call here, or one that was adopted before, changes nothing more.
 */
export const adoptRevocation = async (
  deps: KmDependencies,
  tx: Transaction,
  { mode, transaction, time }: RecordedRevocation,
): Promise<void> => {
  const correction = readCorrection(transaction)
  if (correction?.action !== 'revoke-key') return
  const identity = await lockIdentityWithDid(tx, { mode, did: correction.did })
  if (identity === undefined) return
  const recordedAt = new Date(time)
  if (await finishRevocation(deps, tx, { transaction, recordedAt })) return
  if ((await findRevocation(tx, transaction.id)) !== undefined) return
  const by = await revokedBy(deps, { mode, did: identity.did, signer: signerOf(transaction) })
  const since = new Date(correction.since)
  // A time to come would keep the owner from revoking the key now.
  if (since > recordedAt || !hasEffect(identity, { by, since })) return
  const now = new Date(deps.clock.now())
  await insertRevocation(tx, {
    identityId: identity.id,
    transaction: canonicalLedgerText(transaction),
    transactionId: transaction.id,
    revokedBefore: identity.revokedSince,
    recordedAt: null,
    createdAt: now,
  })
  await saveRevoked(tx, identity.id, { revokedSince: since, updatedAt: now })
  const revoked = { ...identity, status: 'revoked', revokedSince: since, updatedAt: now } as const
  const { reason } = correction
  await reportRevokedIdentity(deps, tx, { identity: revoked, reason, by, actor: { actor: 'ledger' } })
  await finishRevocation(deps, tx, { transaction, recordedAt })
}
