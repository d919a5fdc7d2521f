import type { CorrectedCertificate } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { receivedChanged } from '../certificates/inbox-jobs.ts'
import { enqueueCorrectionMails } from '../mails/correction-mail.ts'
import {
  findCertificateWithBodies,
  type StoredCertificate,
  summaryOf,
} from '../certificates/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { toCorrectionResponse } from '../certificates/correction-response.ts'
import { partiesIn, receiversOf, referenceTo } from '../mails/concerned.ts'
import { findRecordedCorrection, type RecordedCorrection } from '../certificates/corrections.store.ts'

type Corrected = {
  readonly by: { readonly actor: string; readonly ipAddress?: string }
  readonly certificate: StoredCertificate
  readonly replacement: StoredCertificate | undefined
  readonly correctionId: string
  /** Addresses that are told in another mail. */
  readonly except: ReadonlySet<string> | undefined
}

/** Writes the audit entry, the events of issuer and receivers, and the mails to everybody who got the certificate. */
export const reportCorrection = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { by, certificate, replacement, correctionId, except }: Corrected,
): Promise<void> => {
  const correction = await findRecordedCorrection(tx, correctionId)
  if (correction === undefined) throw new Problem('not_found')
  const { id, companyId, mode } = certificate
  await deps.audit.write(tx, {
    ...by,
    action: `certificates.${correction.action}`,
    subject: id,
    companyId,
    details: {
      mode,
      by: correction.madeBy,
      reason: correction.reason,
      transactionId: correction.transactionId,
      replacedBy: replacement?.id,
    },
  })
  const parties = partiesIn((await findCertificateWithBodies(tx, id))?.body)
  const receiverIds = await receiversOf(deps, tx, { certificate, parties })
  const payload = payloadOf(deps, { certificate, replacement, correction })
  for (const ownerId of new Set([companyId, ...receiverIds])) {
    await deps.outbox.write(tx, {
      owner: { kind: 'company', id: ownerId },
      mode,
      resource: 'certificates',
      action: correction.action === 'withdraw' ? 'withdraw_one' : 'replace_one',
      payload,
      aboutId: id,
      aboutName: payload.summary.identifier,
    })
  }
  await deps.jobs.enqueue(tx, receivedChanged, { certificateIds: [id] })
  await enqueueCorrectionMails(deps, tx, { correctionId, companyId, mode, parties, receiverIds, except })
}

const payloadOf = (
  deps: CertificateDependencies,
  {
    certificate,
    replacement,
    correction,
  }: Pick<Corrected, 'certificate' | 'replacement'> & { readonly correction: RecordedCorrection },
): CorrectedCertificate => ({
  ...referenceTo(certificate),
  mode: certificate.mode,
  correction: toCorrectionResponse(correction),
  replacement: replacement && referenceTo(replacement),
  summary: summaryOf(certificate),
  verifyUrl: verifyUrlOf(deps, replacement ?? certificate),
})
