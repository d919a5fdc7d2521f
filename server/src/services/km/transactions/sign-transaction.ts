import type { operations, RawTransaction, SignedTransaction } from '@millseal/contract'
import { completeTransaction, readUnsignedTransaction, type UnsignedTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuditEntry } from '../../../ports/audit/audit.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentityWithKey, type IdentityWithKey } from '../identities/signing-identity.ts'
import type { TransactionRecords } from './keep-records.ts'
import { assertLedgerShape, toRaw } from './raw-transaction.ts'
import { addSignatures, refusing, type SigningDependencies, signWhole } from './sign-unsigned.ts'
import { toTransactionResponse } from './transaction-response.ts'

type Dependencies = Pick<KmDependencies, 'database' | 'audit'> &
  SigningDependencies & {
    readonly records: TransactionRecords
  }
type SignCall = Call<typeof operations.signTransaction>
type PartialSignCall = Call<typeof operations.partialSignTransaction>

export const signTransaction =
  (deps: Dependencies) =>
  async (call: SignCall): Promise<SignedTransaction> => {
    const { identity, unsigned } = await prepare(deps, call)
    const by = { actor: principalName(call.principal), ipAddress: call.client.ip }
    return call.commit(async (tx) => {
      const write = (entry: AuditEntry) => deps.audit.write(tx, entry)
      const signing = { identity, by, purpose: 'transactions.sign', write }
      const transaction = await refusing(() => signWhole(deps)(signing, unsigned))
      const stored = await deps.records.signed(tx, { transaction, identity, state: 'signed' })
      return {
        transaction: toTransactionResponse(stored),
        signedTx: [toRaw(transaction)],
        coinType: ledgerCoinType,
      }
    })
  }

/** Complete with the last signature: then it has its id and can be sent. */
export const partialSignTransaction =
  (deps: Dependencies) =>
  async (call: PartialSignCall): Promise<RawTransaction> => {
    const { identity, unsigned } = await prepare(deps, call)
    const by = { actor: principalName(call.principal), ipAddress: call.client.ip }
    return call.commit((tx) =>
      refusing(async () => {
        const write = (entry: AuditEntry) => deps.audit.write(tx, entry)
        const signing = { identity, by, purpose: 'transactions.partial_sign', write }
        const signed = await addSignatures(deps)(signing, unsigned)
        return toRaw(completeTransaction(signed, nodePrimitives) ?? signed)
      }),
    )
  }

const prepare = async (
  { database }: Pick<Dependencies, 'database'>,
  { query, body, companyId, mode }: Pick<SignCall, 'query' | 'body' | 'companyId' | 'mode'>,
): Promise<{ identity: IdentityWithKey; unsigned: UnsignedTransaction }> => {
  if (query.type !== 'transparent') {
    throw new Problem('signature_type_unsupported', { details: ['query/type must be transparent'] })
  }
  assertLedgerShape(body)
  const unsigned = await refusing(() => readUnsignedTransaction(body, nodePrimitives))
  const identity = await findIdentityWithKey(database.query, { identityId: query.identity, companyId, mode })
  return { identity, unsigned }
}
