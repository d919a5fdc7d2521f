import type { Mode, ReasonShape } from '@millseal/contract'
import { inWords } from '@millseal/contract/reason-words'
import { reasonTemplates } from '@millseal/contract/reasons'
import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail, unsubscribeLink } from '../../../lib/mail-layout.ts'
import { readReasons } from '../../../lib/stored-reasons.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailBody, type MailFrame, sendCompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findCertificate, type StoredCertificate, summaryOf } from '../certificates/certificates.store.ts'
import { certificateSubjectOf } from './certificate-subject.ts'
import { goodsFacts, namingFacts } from './mail-facts.ts'

const maxReasonLength = 500

type FailureMail = { readonly certificateId: string; readonly address: string }

export const failureMail: JobKind<FailureMail> = {
  name: 'certificate-failure-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/** Only the issuer gets this mail: the receivers do not know of the certificate yet. */
export const enqueueFailureMails = async (
  { users, jobs }: CertificateDependencies,
  tx: Transaction,
  {
    certificateId,
    companyId,
    mode,
    submitter,
  }: {
    readonly certificateId: string
    readonly companyId: string
    readonly mode: Mode
    /** The user who gets the mail as well. */
    readonly submitter?: string | undefined
  },
): Promise<void> => {
  const subject = { companyId, mode, kind: 'failure', about: certificateId } as const
  const own = submitter === undefined ? undefined : (await users.findSigner(submitter))?.email
  const contacts = await users.findContacts(tx, companyId)
  const addresses = own === undefined ? contacts : [...new Set([...contacts, own])]
  const mails = (await users.admitMails(tx, [{ subject, addresses }])).flat()
  const open = mails.filter(({ heldBack }) => heldBack === null)
  await jobs.enqueueAll(
    tx,
    failureMail,
    open.map(({ address }) => ({ certificateId, address })),
  )
}

export const sendFailureMail = async (
  deps: CertificateDependencies,
  { data: { certificateId, address } }: Job<FailureMail>,
): Promise<void> => {
  const certificate = await findCertificate(deps.database.query, certificateId)
  if (certificate === undefined) return
  const { companyId, mode } = certificate
  await sendCompanyMail(deps, { companyId, mode, kind: 'failure', about: certificateId, address }, (frame) =>
    compose(deps, certificate, frame),
  )
}

/** What an older release stored is English only. */
const reasonOf = (error: string, reasons: readonly ReasonShape[] = []): Wording => {
  const german = reasons.map((reason) => inWords(reason, reasonTemplates.de)).filter(isText)
  return {
    en: oneLine(error, maxReasonLength),
    de: oneLine(german.length === 0 ? error : german.join('. '), maxReasonLength),
  }
}

const isText = (words: string | undefined): words is string => words !== undefined

const outcome: Wording = { en: 'could not be notarized', de: 'konnte nicht notarisiert werden' }

const compose = (
  deps: CertificateDependencies,
  certificate: StoredCertificate,
  frame: MailFrame,
): MailBody => {
  const { id, error, hash, mode, companyId } = certificate
  const { language } = frame
  const summary = summaryOf(certificate)
  const name = oneLine(summary.identifier ?? hash)
  const heading = {
    en: 'A certificate could not be notarized',
    de: 'Ein Zeugnis konnte nicht notarisiert werden',
  }
  const { text, html } = renderMail({
    languages: [language],
    sender: { name: frame.companyName },
    heading,
    before: [
      {
        en: `The notarization of certificate ${name} (${mode} mode) failed:`,
        de: `Die Notarisierung des Zeugnisses ${name} (${mode === 'test' ? 'Testmodus' : 'Live-Modus'}) ist fehlgeschlagen:`,
      },
      error === null
        ? { en: 'The reason is unknown.', de: 'Der Grund ist unbekannt.' }
        : reasonOf(error, readReasons(certificate)),
    ],
    facts: [...namingFacts(certificate), ...goodsFacts(summary, { heats: [] })],
    after: [
      {
        en: 'Nothing was sent to the receivers. Fix the cause, then submit the same certificate again.',
        de: 'Die Empfänger haben nichts erhalten. Beheben Sie die Ursache, und reichen Sie dasselbe Zeugnis noch einmal ein.',
      },
    ],
    button: {
      label: { en: 'Open certificate', de: 'Zeugnis öffnen' },
      url: `${deps.publicUrl()}${paths.console}certificates/${id}?mode=${mode}&company=${companyId}`,
    },
    why: {
      en: 'You receive this mail because you are a contact of the company that submitted this certificate.',
      de: 'Sie erhalten diese E-Mail, weil Sie Kontakt der Firma sind, die dieses Zeugnis eingereicht hat.',
    },
    unsubscribe: unsubscribeLink(frame),
  })
  return { subject: certificateSubjectOf(certificate, frame, language, outcome), text, html }
}
