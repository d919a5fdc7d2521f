import type { Identity, operations } from '@millseal/contract'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import {
  buildCreate,
  didOf,
  publicKeyOfDid,
  type SignedTransaction,
  type UnsignedTransaction,
} from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { type Actor, actorOf } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { recordReview } from '../reviews/record-review.ts'
import { signCompletely } from '../transactions/add-signatures.ts'
import { storeSentTransaction, storeSignedTransaction } from '../transactions/store-transaction.ts'
import { findPublicationDraft, findRecoveryDid } from './find-publication.ts'
import { findIdentity, lockIdentity, type StoredIdentity, savePublication } from '../keys/identities.store.ts'
import { toIdentityResponses } from './identity-response.ts'
import { findIdentityWithKey, type SigningIdentity } from '../keys/signing-identity.ts'

type NotarizeCall = Call<typeof operations.notarizeIdentity>

/**
 * Publishes an identity in these steps: store the signed transaction as a draft, submit it to the ledger, record the
 * review of a verified company there, mark the identity as public. A repeated call continues after the last step that succeeded, always with the same transaction.
 */
export const notarizeIdentity = async (deps: KmDependencies, call: NotarizeCall): Promise<Identity> => {
  const by = actorOf(call)
  const draft = await deps.database.transaction((tx) => prepareDraft(deps, tx, { call, by }))
  if (draft !== undefined) await submit(deps, call, draft)
  if (draft !== undefined) await review(deps, call, draft)
  return call.commit(async (tx) => {
    const identity = await lockRequiredIdentity(tx, call)
    const published =
      draft === undefined || identity.notarizedAt !== null
        ? identity
        : await markPublic(deps, tx, { identity, transaction: draft, by })
    const [response] = await toIdentityResponses(tx, [published])
    if (response === undefined) throw new Problem('not_found')
    if (published !== identity) await recordPublication(deps, tx, { identity: response, call, by })
    return response
  })
}

const lockRequiredIdentity = async (
  tx: Transaction,
  { params, companyId }: NotarizeCall,
): Promise<StoredIdentity> => {
  const identity = await lockIdentity(tx, { id: params.identityId, companyId })
  if (identity === undefined) throw new Problem('not_found')
  return identity
}

/** Undefined if the identity is public already. */
const prepareDraft = async (
  deps: KmDependencies,
  tx: Transaction,
  { call, by }: { readonly call: NotarizeCall; readonly by: Actor },
): Promise<SignedTransaction | undefined> => {
  const { companyId, mode, body } = call
  const recoveryDid = body?.recoveryDid
  const stored = await lockRequiredIdentity(tx, call)
  if (recoveryDid !== undefined && stored.mode === mode)
    await assertRecoveryDid(deps, tx, { recoveryDid, identity: stored })
  if (stored.notarizedAt !== null && stored.mode === mode) return undefined
  const identity = await findIdentityWithKey(tx, { identityId: stored.id, companyId, mode })
  const draft = await findPublicationDraft(tx, stored)
  if (draft !== undefined) return draft
  const signing = { identity, by, purpose: 'identities.notarize', tx }
  const transaction = await signCompletely(
    deps,
    signing,
    await publicationOf(deps, tx, { identity, recoveryDid }),
  )
  const { id } = await storeSignedTransaction(deps, tx, { transaction, companyId, mode, asDraft: true })
  const updatedAt = new Date(deps.clock.now())
  await savePublication(tx, stored.id, { publicationId: id, notarizedAt: null, updatedAt })
  return transaction
}

const publicationOf = async (
  { users, clock }: KmDependencies,
  tx: Transaction,
  {
    identity: { publicKey, did, companyId },
    recoveryDid,
  }: { readonly identity: SigningIdentity; readonly recoveryDid: string | undefined },
): Promise<UnsignedTransaction> => {
  const company = await users.findCompany(tx, companyId)
  if (company === undefined) throw new Problem('not_found')
  return buildCreate(
    {
      asset: {
        type: 'identity',
        did,
        publicKey,
        company: company.name,
        vatId: company.vatId,
        ...(recoveryDid === undefined ? {} : { recoveryDid }),
      },
      metadata: { timestamp: new Date(clock.now()).toISOString() },
      issuers: [publicKey],
      recipients: [{ publicKeys: [publicKey], amount: '1' }],
    },
    nodePrimitives,
  )
}

const assertRecoveryDid = async (
  deps: KmDependencies,
  tx: Transaction,
  { recoveryDid, identity }: { readonly recoveryDid: string; readonly identity: StoredIdentity },
): Promise<void> => {
  if (recoveryDid === identity.did || !isKeyDid(recoveryDid))
    throw invalidRecoveryDid(because('recovery_key_invalid'))
  if (identity.publicationId === null) return
  const recorded = await findRecoveryDid(deps, tx, identity)
  if (recorded !== recoveryDid)
    throw invalidRecoveryDid(because('recovery_key_fixed', { recorded: recorded ?? 'none' }))
}

const invalidRecoveryDid = (what: Reason): Problem =>
  new Problem('validation_failed', { reasons: [atPlace('/recoveryDid', what)] })

const isKeyDid = (did: string): boolean => {
  try {
    return didOf(publicKeyOfDid(did)) === did
  } catch {
    return false
  }
}

const submit = async (
  { routing }: KmDependencies,
  { mode, signal }: NotarizeCall,
  transaction: SignedTransaction,
): Promise<void> => {
  const elsewhere = await routing.findElsewhere(mode, (ledger) => ledger.find(transaction.id))
  if (elsewhere === undefined) await routing.submit(mode, transaction, submissionSignal(signal()))
}

/** Recorded here and not by a job, so that the issuer is known before the next certificate is notarized. */
const review = async (
  deps: KmDependencies,
  { companyId, params, mode, signal }: NotarizeCall,
  { id: publicationId }: SignedTransaction,
): Promise<void> => {
  const { query } = deps.database
  const verification = (await deps.users.findVerifications(query, [companyId])).get(companyId)
  const identity = await findIdentity(query, { id: params.identityId, companyId })
  if (verification === undefined || identity === undefined) return
  const { publicKey, did } = identity
  await recordReview(deps, { mode, publicKey, did, publicationId, verification }, signal())
}

const markPublic = async (
  deps: KmDependencies,
  tx: Transaction,
  {
    identity,
    transaction,
    by,
  }: {
    readonly identity: StoredIdentity
    readonly transaction: SignedTransaction
    readonly by: Actor
  },
): Promise<StoredIdentity> => {
  const { companyId, mode } = identity
  const { id: publicationId } = await storeSentTransaction(deps, tx, { transaction, companyId, mode, by })
  const now = new Date(deps.clock.now())
  const change = { publicationId, notarizedAt: now, updatedAt: now }
  await savePublication(tx, identity.id, change)
  return { ...identity, ...change }
}

const recordPublication = async (
  { audit, outbox }: KmDependencies,
  tx: Transaction,
  { identity, call, by }: { readonly identity: Identity; readonly call: NotarizeCall; readonly by: Actor },
): Promise<void> => {
  const { companyId, mode } = call
  await audit.write(tx, {
    ...by,
    action: 'identities.notarize',
    subject: `identity:${identity.id}`,
    companyId,
    details: { mode, publicKey: identity.publicKey },
  })
  for (const action of ['update_one', 'notarize_one'] as const) {
    const owner = { kind: 'company', id: companyId } as const
    await outbox.write(tx, { resource: 'identities', action, owner, mode, payload: identity })
  }
}
