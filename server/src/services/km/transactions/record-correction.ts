import type { Mode } from '@millseal/contract'
import { type Correction, type SignedTransaction, signerOf } from '@millseal/proof'
import type { Actor } from '../actor.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Submission } from '../../../ports/ledger/ledger.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { storeCertificateTransaction } from './store-transaction.ts'
import { rejectRefused, type Signatory, signCorrection } from './sign-correction.ts'

export type CorrectionRequest = {
  readonly mode: Mode
  readonly correction: Correction
  readonly signatory: Signatory
  readonly by: Actor
  /** For the audit log, as operations are called. */
  readonly purpose: string
  readonly signal: AbortSignal
}

export type RecordedCorrection = { readonly transactionId: string; readonly recordedAt: Date }

/** Signs and records a correction of a certificate. Call it again after a crash or a lost answer. */
export const recordCorrection = async (
  deps: KmDependencies,
  { mode, correction, signatory, by, purpose, signal }: CorrectionRequest,
): Promise<RecordedCorrection> => {
  const transaction = await signCorrection(deps, { mode, correction, signatory, by, purpose, tx: undefined })
  const recordedAt = await submitCorrection(deps, { mode, transaction, signal })
  if (signatory.role === 'issuer')
    await storeCertificateTransaction(deps, { transaction, companyId: signatory.companyId, mode, by })
  return { transactionId: transaction.id, recordedAt }
}

type Submitted = {
  readonly mode: Mode
  readonly transaction: SignedTransaction
  readonly signal: AbortSignal
}

/**
 * Submits it to the active ledger, and to the log of this service, which answers for its entries whichever ledger is
 * active. Returns the time of the ledger. Throws `transaction_invalid` if all refuse the correction, or if the log refuses
 * one of its operator.
 */
export const submitCorrection = async (
  deps: KmDependencies,
  { mode, transaction, signal }: Submitted,
): Promise<Date> => {
  const { routing, clock } = deps
  const own = await submitToOwnLog(deps, { mode, transaction, signal })
  const submitted = await rejectRefused(() =>
    routing.submit(mode, transaction, submissionSignal(signal)),
  ).catch((error: unknown) => {
    if (own !== undefined && error instanceof Problem && error.code === 'transaction_invalid') return own
    throw error
  })
  return (own ?? submitted).entry.timestamp ?? new Date(clock.now())
}

/** Undefined if it is the active ledger, or if the log does not know what is corrected. */
const submitToOwnLog = async (
  { routing, ledgers }: KmDependencies,
  { mode, transaction, signal }: Submitted,
): Promise<Submission | undefined> => {
  if ((await routing.active(mode)).kind === 'embedded') return undefined
  const log = ledgers.embedded(mode)
  const isOperators = signerOf(transaction) === (await log.operator?.did())
  try {
    return await rejectRefused(() => log.submit(transaction, submissionSignal(signal)))
  } catch (error) {
    if (!isOperators && error instanceof Problem && error.code === 'transaction_invalid') return undefined
    throw error
  }
}
