import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import { addressesOf, type Concerned } from '../corrections/concerned.ts'
import { findRecordedCorrection, type RecordedCorrection } from '../corrections/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate, type StoredCertificate, summaryOf } from '../notarizations/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { certificateSubjectOf } from './certificate-mail.ts'

type CorrectionMail = { readonly correctionId: string; readonly address: string }

export const correctionMail: JobKind<CorrectionMail> = {
  name: 'certificate-correction-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 60,
}

type Corrected = Concerned & { readonly correctionId: string }

export const enqueueCorrectionMails = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { correctionId, ...concerned }: Corrected,
): Promise<void> => {
  for (const address of await addressesOf(deps, tx, concerned))
    await deps.jobs.enqueue(tx, correctionMail, { correctionId, address })
}

export const sendCorrectionMail = async (
  deps: CertificateDependencies,
  { id, data: { correctionId, address } }: Job<CorrectionMail>,
): Promise<void> => {
  const { query } = deps.database
  const correction = await findRecordedCorrection(query, correctionId)
  const certificate = correction && (await findCertificate(query, correction.certificateId))
  if (correction === undefined || certificate === undefined) return
  const replacement =
    correction.replacedBy === null ? undefined : await findCertificate(query, correction.replacedBy)
  await deps.mailer
    .send({
      id,
      to: [{ address }],
      subject: `${certificateSubjectOf(certificate)} was ${replacement === undefined ? 'withdrawn' : 'replaced'}`,
      text: textOf(deps, { certificate, replacement, correction }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof MailRefused)) throw error
      deps.log.warn(
        { certificateId: certificate.id, reason: error.message },
        'a mail about a correction was refused',
      )
    })
}

type Content = {
  readonly certificate: StoredCertificate
  readonly replacement: StoredCertificate | undefined
  readonly correction: RecordedCorrection
}

const maxReasonLength = 500

const textOf = (deps: CertificateDependencies, { certificate, replacement, correction }: Content): string => {
  const { identifier, sellerName } = summaryOf(certificate)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Certificate', identifier],
    ['Seller', sellerName],
    ['SHA-256', certificate.hash],
    ['Recorded', correction.recordedAt.toISOString()],
    ['Replaced by', replacement && (summaryOf(replacement).identifier ?? replacement.hash)],
  ]
  const by = correction.madeBy === 'issuer' ? 'its issuer' : 'the operator of this service, after a review'
  return [
    replacement === undefined
      ? `This certificate was withdrawn by ${by}. Do not rely on it any more.`
      : `This certificate was replaced by ${by}. Use the new one.`,
    ...(certificate.mode === 'test'
      ? ['', 'This is a test certificate: it does not describe real material.']
      : []),
    '',
    `Reason: ${oneLine(correction.reason, maxReasonLength)}`,
    '',
    ...facts.flatMap(([label, value]) =>
      value === undefined ? [] : [`${label.padEnd(12)}${oneLine(value)}`],
    ),
    '',
    replacement === undefined
      ? 'Anyone can verify this here:'
      : 'Anyone can verify the new certificate here:',
    verifyUrlOf(deps, replacement ?? certificate),
  ].join('\n')
}
