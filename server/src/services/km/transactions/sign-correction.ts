import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { buildCreate, type Correction, correctionType, type SignedTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import type { Actor } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentityWithKey } from '../keys/signing-identity.ts'
import { signCompletely } from './add-signatures.ts'

export type Signatory =
  | { readonly role: 'issuer'; readonly companyId: string; readonly identityId: string }
  /** The operator of the log of the mode, also while another network is active. */
  | { readonly role: 'operator' }

export type WantedCorrection = {
  readonly mode: Mode
  readonly correction: Correction
  readonly signatory: Signatory
  readonly by: Actor
  /** For the audit log, as operations are called. */
  readonly purpose: string
  readonly tx: Transaction | undefined
}

/** Every attempt with the same correction makes the same transaction. */
export const signCorrection = async (
  deps: KmDependencies,
  { mode, correction, signatory, by, purpose, tx }: WantedCorrection,
): Promise<SignedTransaction> => {
  const asset = { type: correctionType, ...correction }
  if (signatory.role === 'operator') {
    const { operator } = deps.ledgers.embedded(mode)
    if (operator === undefined)
      throw new Problem('unavailable', { reasons: [because('log_has_no_operator', { mode })] })
    return operator.sign(asset)
  }
  const query = tx ?? deps.database.query
  const identity = await findIdentityWithKey(query, { ...signatory, mode })
  const { publicKey } = identity
  const unsigned = buildCreate(
    {
      asset,
      metadata: null,
      issuers: [publicKey],
      recipients: [{ publicKeys: [publicKey], amount: '1' }],
    },
    nodePrimitives,
  )
  return signCompletely(deps, { identity, by, purpose, tx }, unsigned)
}

/** Runs `work`, and turns the refusal of a ledger into `transaction_invalid`. */
export const rejectRefused = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    throw new Problem('transaction_invalid', { reasons: [error.because], cause: error })
  }
}
