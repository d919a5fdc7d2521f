import { type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submitCorrection } from '../transactions/record-correction.ts'
import {
  deleteRevocation,
  findUnrecordedRevocations,
  markRevocationRecorded,
  type StoredRevocation,
} from './revocations.store.ts'

/** What was signed before the revocation is sent within this time. */
const keptMs = 86_400_000

/**
 * The log refuses to revoke a key that it does not know. What the key signed before can still be on its way, so the
 * revocation is kept for a while.
 */
export const recordRevocation = async (
  deps: KmDependencies,
  { transactionId, transaction: text, mode, notarizedAt, createdAt }: StoredRevocation,
  signal: AbortSignal,
): Promise<void> => {
  const transaction = verifyTransaction(JSON.parse(text), nodePrimitives)
  try {
    const recordedAt = await submitCorrection(deps, { mode, transaction, signal })
    await deps.database.transaction((tx) => finishRevocation(deps, tx, { transaction, recordedAt }))
  } catch (error) {
    const isUnknownKey =
      error instanceof Problem && error.code === 'transaction_invalid' && notarizedAt === null
    if (!isUnknownKey) throw error
    if (deps.clock.now() - createdAt.getTime() > keptMs)
      await deleteRevocation(deps.database.query, transactionId)
  }
}

/** Stores that the ledger has it. Returns false if that was done before, or if it is not stored. */
export const finishRevocation = async (
  { onRevoked }: KmDependencies,
  tx: Transaction,
  { transaction, recordedAt }: { readonly transaction: SignedTransaction; readonly recordedAt: Date },
): Promise<boolean> => {
  const transactionId = transaction.id
  if (!(await markRevocationRecorded(tx, { transactionId, recordedAt }))) return false
  await onRevoked(tx, transactionId)
  return true
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
