import {
  correctedBy,
  InvalidTransaction,
  readCorrection,
  recoveryOf,
  signerOf,
  type SignedTransaction,
} from '@millseal/proof'
import { certificateHash } from './entry.ts'

/** What is recorded before a correction. */
export type CorrectionHistory = {
  findTransaction(id: string): SignedTransaction | undefined
  /** Undefined if the key has signed no entry. `recovery` is named by its first identity. */
  findKey(did: string): RecordedKey | undefined
  /** The DID of the key with which the operator of this log signs. */
  readonly operator: string | undefined
}

export type RecordedKey = {
  /** Whether an identity of the key is recorded, which the key itself signed. */
  readonly isNamed: boolean
  readonly recovery: string | undefined
}

/** Throws `InvalidTransaction` for a correction that the log must not contain (docs/bundle.md). */
export const assertCorrection = (transaction: SignedTransaction, history: CorrectionHistory): void => {
  const correction = readCorrection(transaction)
  if (correction === undefined) return
  const { operator } = history
  const signer = signerOf(transaction)
  if (correction.action === 'revoke-key') {
    const key = history.findKey(correction.did)
    if (key === undefined) throw invalid(`the key ${correction.did} has no entry in this log`)
    const { recovery } = key
    if (correctedBy(correction, { signer, issuer: correction.did, operator, recovery }) === undefined)
      throw invalid('it is signed neither by the key itself, nor by its recovery key, nor by the operator')
    return
  }
  const certificate = findCertificate(history, correction.transactionId)
  if (correction.action === 'replace') findCertificate(history, correction.replacedBy)
  if (correctedBy(correction, { signer, issuer: signerOf(certificate), operator }) === undefined)
    throw invalid('it is signed neither by the signer of the certificate nor by the operator')
}

const findCertificate = ({ findTransaction }: CorrectionHistory, id: string): SignedTransaction => {
  const found = findTransaction(id)
  if (found === undefined) throw invalid(`the transaction ${id} is not in this log`)
  const isCertificate = (['jsonHash', 'pdfHash'] as const).some(
    (name) => certificateHash(found, name) !== null,
  )
  if (!isCertificate) throw invalid(`the transaction ${id} is not that of a certificate`)
  return found
}

const invalid = (reason: string): InvalidTransaction =>
  new InvalidTransaction('ValidationError', `correction: ${reason}`)

/** The key after this transaction was recorded. Its first identity names the recovery key; anybody could record others. */
export const keyAfter = (
  transaction: SignedTransaction,
  { did, before }: { readonly did: string; readonly before: RecordedKey | undefined },
): RecordedKey | undefined => {
  if (before?.isNamed === true || signerOf(transaction) !== did) return before
  const isNamed = isIdentityOf(transaction, did)
  return { isNamed, recovery: isNamed ? recoveryOf(transaction) : undefined }
}

const isIdentityOf = (transaction: SignedTransaction, did: string): boolean =>
  transaction.operation === 'CREATE' &&
  transaction.asset.data?.['type'] === 'identity' &&
  transaction.asset.data['did'] === did
