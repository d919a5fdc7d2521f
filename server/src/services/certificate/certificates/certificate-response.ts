import type { Certificate } from '@millseal/contract'
import { userIdIn } from '../../../http/principal.ts'
import { readReasons } from '../../../lib/stored-reasons.ts'
import type { Confirmed } from '../../../ports/ledger/confirmations.ts'
import type { AppliedSeal } from '../../../ports/seals/seals.ts'
import { toCorrectionResponse } from './correction-response.ts'
import type { RecordedCorrection } from './corrections.store.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { type StoredCertificate, summaryOf } from './certificates.store.ts'

export const toCertificateResponse = (
  stored: StoredCertificate,
  corrections: readonly RecordedCorrection[] = [],
  confirmed?: Confirmed,
): Certificate => ({
  id: stored.id,
  createdAt: stored.createdAt.toISOString(),
  updatedAt: stored.updatedAt.toISOString(),
  mode: stored.mode,
  state: stateOf(stored),
  refSchemaUrl: stored.refSchemaUrl,
  hash: sha256Hex(stored.hash),
  pdfHash: stored.pdfHash === null ? undefined : sha256Hex(stored.pdfHash),
  transactionId: stored.transactionId ?? undefined,
  timestamp: stored.recordedAt?.toISOString(),
  confirmedAt: confirmed?.at.toISOString(),
  confirmedBy: confirmed && [...confirmed.by],
  seal: sealOf(stored),
  identity: stored.identityId,
  owner: stored.companyId,
  summary: summaryOf(stored),
  error: stored.error ?? undefined,
  reasons: readReasons(stored),
  release: releaseOf(stored),
  retainedUntil: stored.retainedUntil.toISOString(),
  withdrawn: corrections.some(({ action }) => action === 'withdraw') || undefined,
  replacedBy: corrections.findLast(({ action }) => action === 'replace')?.replacedBy ?? undefined,
  replaces: stored.replaces ?? undefined,
  corrections: corrections.length === 0 ? undefined : corrections.map(toCorrectionResponse),
})

const sealOf = ({ seal }: StoredCertificate): Certificate['seal'] => {
  if (seal === null) return undefined
  const { stamped, ...applied } = JSON.parse(seal) as AppliedSeal
  return { ...applied, stampedBefore: stamped?.before, stampedBy: stamped?.authority }
}

export const stateOf = ({ state, awaitsRelease }: StoredCertificate): Certificate['state'] =>
  awaitsRelease ? 'awaitingRelease' : state

export const releaseOf = ({ release, releaseBy, releaseAt }: StoredCertificate): Certificate['release'] => {
  if (release === null || releaseAt === null) return undefined
  return { decision: release, at: releaseAt.toISOString(), by: userIdIn(releaseBy) }
}
