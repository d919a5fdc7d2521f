import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Check } from './report.ts'

export type FileHash = { readonly kind: 'json' | 'pdf'; readonly hash: string }

/** Compares the hash of the file with the one in the transaction. */
export const checkFile = (file: FileHash, transaction: SignedTransaction | undefined): Check => {
  const recorded = transaction === undefined ? undefined : recordedHash(transaction, file.kind)
  const it = file.kind === 'pdf' ? 'PDF' : 'JSON'
  if (recorded === file.hash)
    return {
      name: 'file',
      outcome: 'passed',
      says: `The ${it} is unchanged since it was notarized (SHA-256 ${file.hash})`,
    }
  const says =
    transaction === undefined
      ? `The bundle contains no valid transaction to compare the ${it} with (SHA-256 ${file.hash})`
      : `The ${it} is not the notarized one (SHA-256 ${file.hash})`
  return { name: 'file', outcome: 'failed', says }
}

const recordedHash = ({ operation, asset }: SignedTransaction, kind: FileHash['kind']): unknown =>
  operation === 'CREATE' ? asset.data?.[kind === 'pdf' ? 'pdfHash' : 'jsonHash'] : undefined
