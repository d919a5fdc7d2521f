import type { Mode } from '@millseal/contract'
import type { Correction, SignedTransaction } from '@millseal/proof'
import { actorOf, type Caller } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { storeCertificateTransaction } from '../transactions/store-transaction.ts'
import { rejectRefused, type Signatory, signCorrection } from './sign-correction.ts'

export type CorrectionRequest = {
  readonly mode: Mode
  readonly correction: Correction
  readonly signatory: Signatory
  readonly caller: Caller
  /** For the audit log, as operations are called. */
  readonly purpose: string
  readonly signal: AbortSignal
}

export type RecordedCorrection = { readonly transactionId: string; readonly recordedAt: Date }

/** Signs and records a correction of a certificate. Call it again after a crash or a lost answer. */
export const recordCorrection = async (
  deps: KmDependencies,
  { mode, correction, signatory, caller, purpose, signal }: CorrectionRequest,
): Promise<RecordedCorrection> => {
  const by = actorOf(caller)
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

/** Returns the time of the ledger. Throws `transaction_invalid` if the ledger refuses the correction. */
export const submitCorrection = async (
  { routing, clock }: KmDependencies,
  { mode, transaction, signal }: Submitted,
): Promise<Date> => {
  const { entry } = await rejectRefused(() => routing.submit(mode, transaction, submissionSignal(signal)))
  return entry.timestamp ?? new Date(clock.now())
}
