import { canonicalLedgerText, type SignedTransaction } from '@millseal/proof'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Actor } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { StoredIdentity } from '../keys/identities.store.ts'
import { reportRevokedIdentity } from './report-revoked-identity.ts'
import { insertRevocation, saveRevoked } from './revocations.store.ts'
import type { RevokedBy } from './revoked-by.ts'

/** Stores a signed revocation, which the ledger does not have yet. From then on the key cannot sign here. */
export const storeRevocation = async (
  deps: KmDependencies,
  tx: Transaction,
  {
    identity,
    since,
    reason,
    by,
    actor,
    transaction,
  }: {
    readonly identity: StoredIdentity
    readonly since: Date
    readonly reason: string
    readonly by: RevokedBy
    readonly actor: Actor
    readonly transaction: SignedTransaction
  },
): Promise<void> => {
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
  await reportRevokedIdentity(deps, tx, { identity: revoked, reason, by, actor })
}
