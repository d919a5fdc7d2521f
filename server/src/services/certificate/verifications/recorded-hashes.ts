import type { LedgerRecord } from '../../km/index.ts'

export type RecordedHashes = {
  readonly jsonHash: string | undefined
  readonly pdfHash: string | undefined
}

/** The hashes of the certificate that this entry of the ledger records. */
export const recordedHashes = ({ transaction }: LedgerRecord): RecordedHashes => {
  const fields = transaction.operation === 'CREATE' ? (transaction.asset.data ?? {}) : {}
  const text = (name: string): string | undefined => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  return { jsonHash: text('jsonHash'), pdfHash: text('pdfHash') }
}
