import { oneLine } from '../../../lib/mail-layout.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { Revocation } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate, type StoredCertificate, summaryOf } from '../notarizations/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'

type RevocationMail = {
  /** Of the revocation. */
  readonly transactionId: string
  readonly address: string
  /** Those that the mail lists, of `count`. */
  readonly certificateIds: readonly string[]
  readonly count: number
}

export const revocationMail: JobKind<RevocationMail> = {
  name: 'certificate-revocation-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 60,
}

export const sendRevocationMail = async (
  deps: CertificateDependencies,
  { id, data: { transactionId, address, certificateIds, count } }: Job<RevocationMail>,
): Promise<void> => {
  const revocation = await deps.keys.findRevocation(transactionId)
  const found = await Promise.all(certificateIds.map((each) => findCertificate(deps.database.query, each)))
  const certificates = found.filter((certificate) => certificate !== undefined)
  if (revocation === undefined || certificates.length === 0) return
  await deps.mailer
    .send({
      id,
      to: [{ address }],
      subject: subjectOf(revocation, { certificates, count }),
      text: textOf(deps, revocation, { certificates, count }),
    })
    .catch((error: unknown) => {
      if (!(error instanceof MailRefused)) throw error
      deps.log.warn({ transactionId, reason: error.message }, 'a mail about a revoked key was refused')
    })
}

type Listed = { readonly certificates: readonly StoredCertificate[]; readonly count: number }

const maxSubjectLength = 120
const maxReasonLength = 500

const subjectOf = ({ mode }: Revocation, { certificates, count }: Listed): string => {
  const { identifier = '', sellerName } = certificates[0] === undefined ? {} : summaryOf(certificates[0])
  const what = count === 1 ? `Certificate ${identifier}` : `${count} certificates`
  const seller = sellerName === undefined ? '' : ` from ${sellerName}`
  return `${mode === 'test' ? '[TEST] ' : ''}${oneLine(what + seller, maxSubjectLength)}: the key was revoked`
}

const signedBy: Readonly<Record<Revocation['by'], string>> = {
  issuer: 'its owner',
  recovery: 'its owner, with the recovery key',
  operator: 'the operator of this service, after a review',
}

const textOf = (
  deps: CertificateDependencies,
  { mode, by, since, reason, recordedAt, did }: Revocation,
  { certificates, count }: Listed,
): string => {
  const more = count - certificates.length
  return [
    `The key that signed ${count === 1 ? 'this certificate' : 'these certificates'} was revoked by ${signedBy[by]}. Do not rely on ${count === 1 ? 'it' : 'them'} any more; ask the issuer.`,
    ...(mode === 'test' ? ['', 'These are test certificates: they do not describe real material.'] : []),
    '',
    `Reason: ${oneLine(reason, maxReasonLength)}`,
    '',
    `Revoked since ${since.toISOString()}: certificates recorded from then on are not to be trusted.`,
    `Recorded      ${recordedAt.toISOString()}`,
    `Key           ${did}`,
    ...certificates.flatMap((certificate) => ['', ...linesOf(deps, certificate)]),
    ...(more > 0 ? ['', `and ${more} more that you received.`] : []),
    '',
    'Anyone can verify a certificate at its address.',
  ].join('\n')
}

const linesOf = (deps: CertificateDependencies, certificate: StoredCertificate): readonly string[] => {
  const { identifier, sellerName } = summaryOf(certificate)
  const title = [identifier, sellerName].flatMap((text) => (text === undefined ? [] : [oneLine(text)]))
  return [
    ...(title.length === 0 ? [] : [title.join(', ')]),
    `SHA-256 ${certificate.hash}`,
    verifyUrlOf(deps, certificate),
  ]
}
