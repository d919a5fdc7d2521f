import type { operations, RawTransaction, SignedTransaction } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { completeTransaction, readUnsignedTransaction, type UnsignedTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import { assertRecordable } from '../../../ports/ledger/gate.ts'
import { actorOf } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentityWithKey, type IdentityWithKey } from '../keys/signing-identity.ts'
import { addSignatures, rejectInvalid, signCompletely } from './add-signatures.ts'
import { assertLedgerShape, toRaw } from './raw-transaction.ts'
import { rejectRefused } from './sign-correction.ts'
import { storeSignedTransaction } from './store-transaction.ts'
import { toSignedResponse } from './transaction-response.ts'

type SignCall = Call<typeof operations.signTransaction>
type PartialSignCall = Call<typeof operations.partialSignTransaction>

export const signTransaction = async (deps: KmDependencies, call: SignCall): Promise<SignedTransaction> => {
  const { identity, unsigned } = await readCall(deps, call)
  const { companyId, mode } = call
  return call.commit(async (tx) => {
    const signing = { identity, by: actorOf(call), purpose: 'transactions.sign', tx }
    const transaction = await rejectInvalid(() => signCompletely(deps, signing, unsigned))
    const own = { transaction, companyId, mode, asDraft: false }
    return toSignedResponse(await storeSignedTransaction(deps, tx, own), transaction)
  })
}

/** The answer to the last signature has an id and can be sent. */
export const partialSignTransaction = async (
  deps: KmDependencies,
  call: PartialSignCall,
): Promise<RawTransaction> => {
  const { identity, unsigned } = await readCall(deps, call)
  return call.commit((tx) =>
    rejectInvalid(async () => {
      const signing = { identity, by: actorOf(call), purpose: 'transactions.partial_sign', tx }
      const signed = await addSignatures(deps, signing, unsigned)
      return toRaw(completeTransaction(signed, nodePrimitives) ?? signed)
    }),
  )
}

const readCall = async (
  { database }: KmDependencies,
  { query, body, companyId, mode }: SignCall | PartialSignCall,
): Promise<{ identity: IdentityWithKey; unsigned: UnsignedTransaction }> => {
  if (query.type !== 'transparent') {
    throw new Problem('signature_type_unsupported', {
      reasons: [because('must_be', { value: 'transparent', place: 'query/type' })],
    })
  }
  assertLedgerShape(body)
  const unsigned = await rejectInvalid(() => readUnsignedTransaction(body, nodePrimitives))
  // A network outside would accept the signed transaction from anybody.
  await rejectRefused(async () => assertRecordable(unsigned, mode))
  const identity = await findIdentityWithKey(database.query, { identityId: query.identity, companyId, mode })
  return { identity, unsigned }
}
