import type { Certificate, CertificateSummary, Mode } from '@millseal/contract'

export type StoredCertificate = {
  readonly id: string
  readonly companyId: string
  readonly identityId: string
  readonly mode: Mode
  readonly state: Certificate['state']
  readonly refSchemaUrl: string
  /** SHA-256, hex. */
  readonly hash: string
  readonly pdfHash: string | undefined
  readonly transactionId: string | undefined
  readonly recordedAt: Date | undefined
  readonly summary: CertificateSummary
  readonly error: string | undefined
  readonly attempts: number
  readonly retainedUntil: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type CertificateRow = {
  id: string
  company_id: string
  identity_id: string
  mode: Mode
  state: Certificate['state']
  ref_schema_url: string
  hash: string
  body: Uint8Array | null
  pdf: Uint8Array | null
  pdf_hash: string | null
  transaction_id: string | null
  recorded_at: Date | null
  summary: string
  error: string | null
  attempts: number
  retained_until: Date
  created_at: Date
  updated_at: Date
}

export const toCertificate = (row: Omit<CertificateRow, 'body' | 'pdf'>): StoredCertificate => ({
  id: row.id,
  companyId: row.company_id,
  identityId: row.identity_id,
  mode: row.mode,
  state: row.state,
  refSchemaUrl: row.ref_schema_url,
  hash: row.hash,
  pdfHash: row.pdf_hash ?? undefined,
  transactionId: row.transaction_id ?? undefined,
  recordedAt: row.recorded_at ?? undefined,
  summary: JSON.parse(row.summary) as CertificateSummary,
  error: row.error ?? undefined,
  attempts: row.attempts,
  retainedUntil: row.retained_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
