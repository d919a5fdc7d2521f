import type { LedgerRecord } from '../../km/index.ts'

export type RecordedHashes = {
  readonly jsonHash: string | undefined
  readonly pdfHash: string | undefined
  readonly schema: string | undefined
}

/** What a ledger entry says of a certificate. */
export const recordedHashes = ({ transaction }: Pick<LedgerRecord, 'transaction'>): RecordedHashes => {
  const fields = transaction.operation === 'CREATE' ? (transaction.asset.data ?? {}) : {}
  const text = (name: string): string | undefined => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  return { jsonHash: text('jsonHash'), pdfHash: text('pdfHash'), schema: text('schema') }
}
