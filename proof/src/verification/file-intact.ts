import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Check } from './report.ts'

export type FileHash = { readonly kind: 'json' | 'pdf'; readonly hash: string }

/** Every byte of a PDF, or every value of a JSON, is the one whose hash was signed and recorded. */
export const checkFile = (file: FileHash, transaction: SignedTransaction | undefined): Check => {
  const recorded = transaction === undefined ? undefined : recordedHash(transaction, file.kind)
  if (recorded === file.hash) {
    const what = file.kind === 'pdf' ? 'The PDF is' : 'The JSON says'
    return {
      name: 'file',
      outcome: 'passed',
      says: `${what} exactly what was notarized (SHA-256 ${file.hash})`,
    }
  }
  const it = file.kind.toUpperCase()
  const says =
    transaction === undefined
      ? `Nothing sound to compare the ${it} with: its SHA-256 is ${file.hash}`
      : `The ${it} is not the one that was notarized: its SHA-256 is ${file.hash}`
  return { name: 'file', outcome: 'failed', says }
}

const recordedHash = ({ operation, asset }: SignedTransaction, kind: FileHash['kind']): unknown =>
  operation === 'CREATE' ? asset.data?.[kind === 'pdf' ? 'pdfHash' : 'jsonHash'] : undefined
