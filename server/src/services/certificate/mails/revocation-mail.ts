import { renderMail, timeOf, unsubscribeLink } from '../../../lib/mail-layout.ts'
import type { MailLanguage, Wording } from '../../../lib/mail-languages.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import type { Revocation } from '../../km/index.ts'
import { type MailBody, type MailFrame, sendCompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate, type StoredCertificate, summaryOf } from '../certificates/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { numberOf, subjectOf } from './certificate-subject.ts'
import { byOperator, reasonFact, testNotice } from './mail-facts.ts'

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
  { data: { transactionId, address, certificateIds, count } }: Job<RevocationMail>,
): Promise<void> => {
  const revocation = await deps.keys.findRevocation(transactionId)
  const found = await Promise.all(certificateIds.map((each) => findCertificate(deps.database.query, each)))
  const certificates = found.filter((certificate) => certificate !== undefined)
  const [first] = certificates
  if (revocation === undefined || first === undefined) return
  await sendCompanyMail(
    deps,
    { companyId: first.companyId, mode: revocation.mode, kind: 'revocation', about: transactionId, address },
    (frame) => compose(deps, { revocation, first, certificates, count, frame }),
  )
}

type Content = {
  readonly revocation: Revocation
  readonly first: StoredCertificate
  readonly certificates: readonly StoredCertificate[]
  readonly count: number
  readonly frame: MailFrame
}

const compose = (
  deps: CertificateDependencies,
  { revocation, first, certificates, count, frame }: Content,
): MailBody => {
  const { mode, by, since, reason, recordedAt, did } = revocation
  const { language } = frame
  const more = count - certificates.length
  const { text, html } = renderMail({
    languages: [language],
    sender: { name: frame.companyName },
    notice: testNotice(mode),
    heading: count === 1 ? words.headingOfOne : words.heading,
    before: [
      {
        en: `The key that signed ${count === 1 ? 'this certificate' : 'these certificates'} was revoked by ${signedBy[by].en}. Do not rely on ${count === 1 ? 'it' : 'them'} any more; ask the issuer.`,
        de: `Der Schlüssel, mit dem ${count === 1 ? 'dieses Zeugnis' : 'diese Zeugnisse'} signiert wurde${count === 1 ? '' : 'n'}, wurde ${signedBy[by].de} widerrufen. Verlassen Sie sich nicht mehr darauf; fragen Sie den Aussteller.`,
      },
    ],
    facts: [
      reasonFact(reason),
      [words.since, timeOf(since)],
      [words.recorded, timeOf(recordedAt)],
      [words.key, did],
      ...certificates.map((certificate) => [words.certificate, factOf(certificate)] as const),
    ],
    button: { label: words.verify, url: verifyUrlOf(deps, first) },
    after:
      more > 0
        ? [{ en: `and ${more} more that you received.`, de: `und ${more} weitere, die Sie erhalten haben.` }]
        : [],
    why: words.why,
    unsubscribe: unsubscribeLink(frame),
  })
  return { subject: subjectIn(language, first, count), text, html }
}

const factOf = (certificate: StoredCertificate): string => {
  const { identifier, sellerName } = summaryOf(certificate)
  return [identifier, sellerName, `SHA-256 ${certificate.hash}`]
    .filter((part) => part !== undefined)
    .join(', ')
}

const subjectIn = (language: MailLanguage, first: StoredCertificate, count: number): string => {
  const number = numberOf(first)
  const what: Wording =
    count === 1
      ? { en: `Certificate ${number}`, de: `Zeugnis ${number}` }
      : { en: `${count} certificates`, de: `${count} Zeugnisse` }
  const { sellerName } = summaryOf(first)
  return subjectOf(first, `${what[language]}${words.revoked[language]}`, sellerName && ` (${sellerName})`)
}

const signedBy: Readonly<Record<Revocation['by'], Wording>> = {
  issuer: { en: 'its owner', de: 'von seinem Inhaber' },
  recovery: {
    en: 'its owner, with the recovery key',
    de: 'von seinem Inhaber mit dem Wiederherstellungsschlüssel',
  },
  operator: byOperator,
}

const words = {
  headingOfOne: {
    en: 'The key of a certificate was revoked',
    de: 'Der Schlüssel eines Zeugnisses wurde widerrufen',
  },
  heading: {
    en: 'The key of certificates was revoked',
    de: 'Der Schlüssel von Zeugnissen wurde widerrufen',
  },
  revoked: { en: ': the key was revoked', de: ': Der Schlüssel wurde widerrufen' },
  since: { en: 'Revoked since', de: 'Widerrufen seit' },
  recorded: { en: 'Recorded', de: 'Eingetragen' },
  key: { en: 'Key', de: 'Schlüssel' },
  certificate: { en: 'Certificate', de: 'Zeugnis' },
  verify: { en: 'Verify', de: 'Prüfen' },
  why: {
    en: 'You receive this mail because you are a contact of the issuer or of a receiver of these certificates.',
    de: 'Sie erhalten diese E-Mail, weil Sie Kontakt des Ausstellers oder eines Empfängers dieser Zeugnisse sind.',
  },
} as const satisfies Readonly<Record<string, Wording>>
