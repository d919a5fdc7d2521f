import type { Identity, operations } from '@millseal/contract'
import {
  buildCreate,
  type SignedTransaction,
  type UnsignedTransaction,
  verifyTransaction,
} from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import type { LedgerRouting } from '../ledgers/routing.ts'
import type { Actor, TransactionRecords } from '../transactions/keep-records.ts'
import { signWhole } from '../transactions/sign-unsigned.ts'
import { findDraft } from '../transactions/transactions.store.ts'
import { lockIdentity, type StoredIdentity, savePublication } from './identities.store.ts'
import { toIdentityResponses } from './identity-response.ts'
import { findIdentityWithKey, type SigningIdentity } from './signing-identity.ts'

type Dependencies = Pick<KmDependencies, 'database' | 'users' | 'vault' | 'clock' | 'audit' | 'outbox'> & {
  readonly routing: LedgerRouting
  readonly records: TransactionRecords
}
type NotarizeCall = Call<typeof operations.notarizeIdentity>

/**
 * Three steps, each of which a repetition continues: the transaction is signed and kept, the ledger takes it (the same
 * one as often as it is sent), and only then the identity is public.
 */
export const notarizeIdentity =
  (deps: Dependencies) =>
  async (call: NotarizeCall): Promise<Identity> => {
    const by = { actor: principalName(call.principal), ipAddress: call.client.ip }
    const draft = await deps.database.transaction((tx) => prepare(deps, tx, { call, by }))
    if (draft !== undefined) await submit(deps.routing, call, draft)
    return call.commit(async (tx) => {
      const identity = await hold(tx, call)
      const published =
        draft === undefined || identity.notarizedAt !== undefined
          ? identity
          : await publish(deps, tx, { identity, transaction: draft, by })
      const [response] = await toIdentityResponses(tx, [published])
      if (response === undefined) throw new Problem('not_found')
      if (published !== identity) await tell(deps, tx, { identity: response, call, by })
      return response
    })
  }

const hold = async (
  tx: Transaction,
  { params, companyId }: Pick<NotarizeCall, 'params' | 'companyId'>,
): Promise<StoredIdentity> => {
  const identity = await lockIdentity(tx, { id: params.identityId, companyId })
  if (identity === undefined) throw new Problem('not_found')
  return identity
}

/** Nothing where the identity is public already. */
const prepare = async (
  deps: Dependencies,
  tx: Transaction,
  { call, by }: { readonly call: NotarizeCall; readonly by: Actor },
): Promise<SignedTransaction | undefined> => {
  const { companyId, mode } = call
  const stored = await hold(tx, call)
  if (stored.notarizedAt !== undefined && stored.mode === mode) return undefined
  const identity = await findIdentityWithKey(tx, { identityId: stored.id, companyId, mode })
  const kept = stored.publicationId === undefined ? undefined : await findDraft(tx, stored.publicationId)
  if (kept !== undefined) return verifyTransaction(JSON.parse(kept), nodePrimitives)
  const write = (entry: AuditEntry) => deps.audit.write(tx, entry)
  const signing = { identity, by, purpose: 'identities.notarize', write }
  const transaction = await signWhole(deps)(signing, await publicationOf(deps, tx, identity))
  const record = await deps.records.signed(tx, { transaction, identity, state: 'kept' })
  const now = new Date(deps.clock.now())
  await savePublication(tx, { id: stored.id, publicationId: record.id, notarizedAt: null }, now)
  return transaction
}

const publicationOf = async (
  { users, clock }: Dependencies,
  tx: Transaction,
  { publicKey, did, companyId }: SigningIdentity,
): Promise<UnsignedTransaction> => {
  const company = await users.findCompany(tx, companyId)
  if (company === undefined) throw new Problem('not_found')
  return buildCreate(
    {
      asset: { type: 'identity', did, publicKey, company: company.name, vatId: company.vatId },
      metadata: { timestamp: new Date(clock.now()).toISOString() },
      issuers: [publicKey],
      recipients: [{ publicKeys: [publicKey], amount: '1' }],
    },
    nodePrimitives,
  )
}

const submit = async (
  routing: LedgerRouting,
  { mode, signal }: Pick<NotarizeCall, 'mode' | 'signal'>,
  transaction: SignedTransaction,
): Promise<void> => {
  const elsewhere = await routing.findElsewhere(mode, (ledger) => ledger.find(transaction.id))
  if (elsewhere === undefined) await routing.submit(mode, transaction, submissionSignal(signal))
}

type Publishing = {
  readonly identity: StoredIdentity
  readonly transaction: SignedTransaction
  readonly by: Actor
}

const publish = async (
  { records, clock }: Dependencies,
  tx: Transaction,
  { identity, transaction, by }: Publishing,
): Promise<StoredIdentity> => {
  const { id, companyId, mode } = identity
  const record = await records.sent(tx, { transaction, companyId, mode, by })
  const now = new Date(clock.now())
  await savePublication(tx, { id, publicationId: record.id, notarizedAt: now }, now)
  return { ...identity, publicationId: record.id, notarizedAt: now, updatedAt: now }
}

const tell = async (
  { audit, outbox }: Dependencies,
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
