import type { Identity, operations } from '@millseal/contract'
import { canonicalLedgerText, isLogTime, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { actorOf } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { lockAnyIdentity, type StoredIdentity } from '../identities/identities.store.ts'
import { toIdentityResponses } from '../identities/identity-response.ts'
import { storeSignedTransaction } from '../transactions/store-transaction.ts'
import { submitCorrection } from './record-correction.ts'
import {
  deleteRevocation,
  findRevocation,
  findUnrecordedRevocations,
  insertRevocation,
  markRevocationRecorded,
  saveRevoked,
  type UnrecordedRevocation,
} from './revocations.store.ts'
import { signCorrection } from './sign-correction.ts'

type RevokeCall = Call<typeof operations.revokeIdentity>

/**
 * From the first transaction on the key cannot sign here. The revocation is signed before that, then recorded on the
 * log; a repeated call or the upkeep job continues with the same transaction.
 */
export const revokeIdentity = async (deps: KmDependencies, call: RevokeCall): Promise<Identity> => {
  const { mode, signal } = call
  const since = sinceOf(deps, call)
  const draft = await deps.database.transaction((tx) => revoke(deps, tx, { call, since }))
  if (draft !== undefined) await recordRevocation(deps, { ...draft, mode }, signal)
  return call.commit(async (tx) => {
    const [response] = await toIdentityResponses(tx, [await lockRequired(tx, call)])
    if (response === undefined) throw new Problem('not_found')
    return response
  })
}

const sinceOf = ({ clock }: KmDependencies, { body }: RevokeCall): Date => {
  const now = clock.now()
  const since = new Date(body.since ?? now)
  const isTime = !Number.isNaN(since.getTime()) && isLogTime(since.toISOString())
  if (isTime && since.getTime() <= now) return since
  throw new Problem('validation_failed', {
    details: [isTime ? '/since must not be in the future' : '/since must be a time'],
  })
}

const lockRequired = async (
  tx: Transaction,
  { params, companyId, mode }: RevokeCall,
): Promise<StoredIdentity> => {
  const identity = await lockAnyIdentity(tx, params.id)
  const isReachable = identity?.mode === mode && (companyId ?? identity.companyId) === identity.companyId
  if (identity === undefined || !isReachable) throw new Problem('not_found')
  return identity
}

type Unrecorded = Pick<
  UnrecordedRevocation,
  'identityId' | 'transaction' | 'mode' | 'notarizedAt' | 'createdAt'
>

/** Undefined if nothing is left to record. */
const revoke = async (
  deps: KmDependencies,
  tx: Transaction,
  { call, since }: { readonly call: RevokeCall; readonly since: Date },
): Promise<Unrecorded | undefined> => {
  const identity = await lockRequired(tx, call)
  const { id: identityId, mode, notarizedAt } = identity
  if (identity.status === 'revoked') {
    const stored = await findRevocation(tx, identityId)
    return stored === undefined || stored.recordedAt !== null ? undefined : { ...stored, mode, notarizedAt }
  }
  const transaction = await signRevocation(deps, tx, { call, identity, since })
  const now = new Date(deps.clock.now())
  const text = canonicalLedgerText(transaction)
  await insertRevocation(tx, {
    identityId,
    transaction: text,
    transactionId: transaction.id,
    recordedAt: null,
    createdAt: now,
  })
  await saveRevoked(tx, identityId, { revokedSince: since, updatedAt: now })
  const revoked = { ...identity, status: 'revoked', revokedSince: since, updatedAt: now } as const
  await report(deps, tx, { call, identity: revoked })
  return { identityId, transaction: text, mode, notarizedAt, createdAt: now }
}

type Signing = { readonly call: RevokeCall; readonly identity: StoredIdentity; readonly since: Date }

const signRevocation = async (
  deps: KmDependencies,
  tx: Transaction,
  { call, identity, since }: Signing,
): Promise<SignedTransaction> => {
  const { mode, body, companyId } = call
  const by = actorOf(call)
  if (companyId === undefined) await assertOutsider(deps, call, identity.companyId)
  const transaction = await signCorrection(deps, {
    mode,
    correction: { action: 'revoke-key', did: identity.did, since: since.toISOString(), reason: body.reason },
    signatory:
      companyId === undefined ? { role: 'operator' } : { role: 'issuer', companyId, identityId: identity.id },
    by,
    purpose: 'identities.revoke',
    tx,
  })
  if (companyId !== undefined)
    await storeSignedTransaction(deps, tx, { transaction, companyId, mode, asDraft: false })
  return transaction
}

/** An operator who belongs to the company acts for it, with its keys. */
const assertOutsider = async (
  { users }: KmDependencies,
  { principal }: RevokeCall,
  companyId: string,
): Promise<void> => {
  if (!(await users.isActiveMember({ companyId, userId: principal.id }))) return
  throw new Problem('role_missing', {
    details: ['You belong to this company: send its id in the header company'],
  })
}

const report = async (
  { audit, outbox }: KmDependencies,
  tx: Transaction,
  { call, identity }: { readonly call: RevokeCall; readonly identity: StoredIdentity },
): Promise<void> => {
  const { companyId, mode, revokedSince } = identity
  await audit.write(tx, {
    ...actorOf(call),
    action: 'identities.revoke',
    subject: `identity:${identity.id}`,
    companyId,
    details: {
      mode,
      publicKey: identity.publicKey,
      since: revokedSince,
      reason: call.body.reason,
      by: call.companyId === undefined ? 'operator' : 'issuer',
    },
  })
  const [payload] = await toIdentityResponses(tx, [identity])
  if (payload === undefined) return
  for (const action of ['update_one', 'revoke_one'] as const) {
    const owner = { kind: 'company', id: companyId } as const
    await outbox.write(tx, { resource: 'identities', action, owner, mode, payload })
  }
}

/** What was signed before the revocation is sent within this time. */
const keptMs = 86_400_000

/**
 * The log refuses to revoke a key that it does not know. What the key signed before can still be on its way, so the
 * revocation is kept for a while.
 */
const recordRevocation = async (
  deps: KmDependencies,
  { identityId, transaction: text, mode, notarizedAt, createdAt }: Unrecorded,
  signal: AbortSignal,
): Promise<void> => {
  const transaction = verifyTransaction(JSON.parse(text), nodePrimitives)
  const { query } = deps.database
  try {
    await markRevocationRecorded(
      query,
      identityId,
      await submitCorrection(deps, { mode, transaction, signal }),
    )
  } catch (error) {
    const isUnknownKey =
      error instanceof Problem && error.code === 'transaction_invalid' && notarizedAt === null
    if (!isUnknownKey) throw error
    if (deps.clock.now() - createdAt.getTime() > keptMs) await deleteRevocation(query, identityId)
  }
}

/** Records revocations whose call ended before the ledger had them. One that fails does not hold up the others. */
export const finishRevocations = async (deps: KmDependencies, signal: AbortSignal): Promise<void> => {
  const failures: unknown[] = []
  for (const revocation of await findUnrecordedRevocations(deps.database.query)) {
    signal.throwIfAborted()
    await recordRevocation(deps, revocation, signal).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
