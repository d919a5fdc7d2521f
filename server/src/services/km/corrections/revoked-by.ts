import type { Mode } from '@millseal/contract'
import { readCorrection, type SignedTransaction, signerOf } from '@millseal/proof'
import type { Query } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { StoredIdentity } from '../keys/identities.store.ts'
import { findRevocation } from './revocations.store.ts'

export type RevokedBy = 'issuer' | 'operator' | 'recovery'

/** In which role the signer of a recorded revocation revoked the key. The log refuses all others. */
export const revokedBy = async (
  { ledgers }: KmDependencies,
  { mode, did, signer }: { readonly mode: Mode; readonly did: string; readonly signer: string | undefined },
): Promise<RevokedBy> => {
  if (signer === (await ledgers.embedded(mode).operator?.did())) return 'operator'
  return signer === did ? 'issuer' : 'recovery'
}

/**
 * Whether a revocation says more than an earlier one. A key that is revoked already cannot date that back, because a thief
 * could do so: docs/bundle.md.
 */
export const hasEffect = (
  { revokedSince }: StoredIdentity,
  { by, since }: { readonly by: RevokedBy; readonly since: Date },
): boolean => revokedSince === null || (since < revokedSince && by !== 'issuer')

/** A revoked key, as the ledger has it. */
export type Revocation = {
  readonly transactionId: string
  readonly companyId: string
  readonly identityId: string
  readonly mode: Mode
  readonly did: string
  readonly since: Date
  /** Certificates from then on were revoked before. */
  readonly before: Date | undefined
  readonly reason: string
  readonly by: RevokedBy
  readonly recordedAt: Date
}

/** Undefined if the ledger does not have it. */
export const readRevocation = async (
  deps: KmDependencies,
  query: Query,
  transactionId: string,
): Promise<Revocation | undefined> => {
  const stored = await findRevocation(query, transactionId)
  if (stored === undefined || stored.recordedAt === null) return undefined
  const { companyId, identityId, mode, did, recordedAt, revokedBefore } = stored
  const transaction = JSON.parse(stored.transaction) as SignedTransaction
  const correction = readCorrection(transaction)
  if (correction?.action !== 'revoke-key') throw new Error(`${transactionId} is not a revocation`)
  return {
    transactionId,
    companyId,
    identityId,
    mode,
    did,
    since: new Date(correction.since),
    before: revokedBefore ?? undefined,
    reason: correction.reason,
    by: await revokedBy(deps, { mode, did, signer: signerOf(transaction) }),
    recordedAt,
  }
}
