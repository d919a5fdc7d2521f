import type { Identity, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { isLogTime, type SignedTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { actorOf } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { lockAnyIdentity, type StoredIdentity } from '../keys/identities.store.ts'
import { toIdentityResponses } from '../identities/identity-response.ts'
import { storeSignedTransaction } from '../transactions/store-transaction.ts'
import { recordRevocation } from './record-revocation.ts'
import { findUnrecordedRevocations } from './revocations.store.ts'
import { hasEffect } from './revoked-by.ts'
import { storeRevocation } from './store-revocation.ts'
import { signCorrection } from '../transactions/sign-correction.ts'

type RevokeCall = Call<typeof operations.revokeIdentity>

/**
 * From the first transaction on the key cannot sign here. The revocation is signed before that, then recorded on the
 * log; a repeated call or the upkeep job continues with the same transaction.
 */
export const revokeIdentity = async (deps: KmDependencies, call: RevokeCall): Promise<Identity> => {
  const since = sinceOf(deps, call)
  await deps.database.transaction((tx) => revoke(deps, tx, { call, since }))
  for (const unrecorded of await findUnrecordedRevocations(deps.database.query, call.params.id))
    await recordRevocation(deps, unrecorded, call.signal())
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
    reasons: [because(isTime ? 'must_not_be_in_future' : 'must_be_time', { place: '/since' })],
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

/** Stores a signed revocation, unless the key is revoked since then already. */
const revoke = async (
  deps: KmDependencies,
  tx: Transaction,
  { call, since }: { readonly call: RevokeCall; readonly since: Date },
): Promise<void> => {
  const identity = await lockRequired(tx, call)
  const by = call.companyId === undefined ? 'operator' : 'issuer'
  if (!hasEffect(identity, { by, since })) return
  const transaction = await signRevocation(deps, tx, { call, identity, since })
  const { reason } = call.body
  await storeRevocation(deps, tx, { identity, since, reason, by, actor: actorOf(call), transaction })
}

const signRevocation = async (
  deps: KmDependencies,
  tx: Transaction,
  {
    call,
    identity,
    since,
  }: { readonly call: RevokeCall; readonly identity: StoredIdentity; readonly since: Date },
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
    reasons: [because('needs_company_header')],
  })
}
