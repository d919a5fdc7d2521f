import type { Certificate } from '@millseal/contract'
import { sha256Hex } from '../hashing/hash.ts'
import type { StoredCertificate } from './stored-certificate.ts'

export const toCertificateResponse = (stored: StoredCertificate): Certificate => ({
  id: stored.id,
  createdAt: stored.createdAt.toISOString(),
  updatedAt: stored.updatedAt.toISOString(),
  mode: stored.mode,
  state: stored.state,
  refSchemaUrl: stored.refSchemaUrl,
  hash: sha256Hex(stored.hash),
  ...(stored.pdfHash === undefined ? {} : { pdfHash: sha256Hex(stored.pdfHash) }),
  ...(stored.transactionId === undefined ? {} : { transactionId: stored.transactionId }),
  ...(stored.recordedAt === undefined ? {} : { timestamp: stored.recordedAt.toISOString() }),
  identity: stored.identityId,
  owner: stored.companyId,
  summary: stored.summary,
  ...(stored.error === undefined ? {} : { error: stored.error }),
  retainedUntil: stored.retainedUntil.toISOString(),
})
