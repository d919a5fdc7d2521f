import type { Mode } from '@millseal/contract'
import { readCertificate } from '@millseal/families'
import type { Wording } from '../../../lib/mail-languages.ts'
import { renderMail, timeOf, unsubscribeLink } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailBody, type MailFrame, sendCompanyMail } from '../../user/index.ts'
import { addressesOf, type Concerned } from './concerned.ts'
import { findRecordedCorrection, type RecordedCorrection } from '../certificates/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import {
  type CertificateWithBodies,
  findCertificate,
  findCertificateWithBodies,
  type StoredCertificate,
  summaryOf,
} from '../certificates/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import { certificateSubjectOf } from './certificate-subject.ts'
import { byOperator, languagesFor, namingFacts, reasonFact, testNotice } from './mail-facts.ts'

type CorrectionMail = { readonly correctionId: string; readonly address: string }

export const correctionMail: JobKind<CorrectionMail> = {
  name: 'certificate-correction-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 60,
}

export const enqueueCorrectionMails = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    correctionId,
    mode,
    except = new Set(),
    ...concerned
  }: Concerned & {
    readonly correctionId: string
    readonly mode: Mode
    readonly except?: ReadonlySet<string> | undefined
  },
): Promise<void> => {
  const addresses = [...(await addressesOf(deps, tx, concerned))].filter((address) => !except.has(address))
  const subject = { companyId: concerned.companyId, mode, kind: 'correction', about: correctionId } as const
  const mails = (await deps.users.admitMails(tx, [{ subject, addresses }])).flat()
  const open = mails.filter(({ heldBack }) => heldBack === null)
  await deps.jobs.enqueueAll(
    tx,
    correctionMail,
    open.map(({ address }) => ({ correctionId, address })),
  )
}

export const sendCorrectionMail = async (
  deps: CertificateDependencies,
  { data: { correctionId, address } }: Job<CorrectionMail>,
): Promise<void> => {
  const { query } = deps.database
  const correction = await findRecordedCorrection(query, correctionId)
  const certificate = correction && (await findCertificateWithBodies(query, correction.certificateId))
  if (correction === undefined || certificate === undefined) return
  const replacement =
    correction.replacedBy === null ? undefined : await findCertificate(query, correction.replacedBy)
  const { companyId, mode } = certificate
  await sendCompanyMail(
    deps,
    { companyId, mode, kind: 'correction', about: correctionId, address },
    (frame) => compose(deps, { certificate, replacement, correction, frame }),
  )
}

type Content = {
  readonly certificate: CertificateWithBodies
  readonly replacement: StoredCertificate | undefined
  readonly correction: RecordedCorrection
  readonly frame: MailFrame
}

const compose = (
  deps: CertificateDependencies,
  { certificate, replacement, correction, frame }: Content,
): MailBody => {
  const languages = languagesFor(frame, certificate.body && readCertificate(certificate.body))
  const { reason, recordedAt } = correction
  const newOne = replacement && (summaryOf(replacement).identifier ?? replacement.hash)
  const { text, html } = renderMail({
    languages,
    sender: { name: frame.companyName },
    notice: testNotice(certificate.mode),
    heading: replacement === undefined ? words.withdrawn : words.replaced,
    before: [sentenceOf(correction, replacement !== undefined)],
    facts: [
      reasonFact(reason),
      ...namingFacts(certificate),
      [{ en: 'SHA-256', de: 'SHA-256' }, certificate.hash],
      [{ en: 'Recorded', de: 'Eingetragen' }, timeOf(recordedAt)],
      [{ en: 'Replaced by', de: 'Ersetzt durch' }, newOne],
    ],
    button: {
      label: replacement === undefined ? words.verify : words.verifyNew,
      url: verifyUrlOf(deps, replacement ?? certificate),
    },
    after: [],
    why: words.why,
    unsubscribe: unsubscribeLink(frame),
  })
  const [language] = languages
  const outcome = replacement === undefined ? words.wasWithdrawn : words.wasReplaced
  return { subject: certificateSubjectOf(certificate, frame, language, outcome), text, html }
}

const words = {
  withdrawn: { en: 'A certificate was withdrawn', de: 'Ein Zeugnis wurde zurückgezogen' },
  replaced: { en: 'A certificate was replaced', de: 'Ein Zeugnis wurde ersetzt' },
  wasWithdrawn: { en: 'was withdrawn', de: 'wurde zurückgezogen' },
  wasReplaced: { en: 'was replaced', de: 'wurde ersetzt' },
  verify: { en: 'Verify', de: 'Prüfen' },
  verifyNew: { en: 'Verify the new certificate', de: 'Neues Zeugnis prüfen' },
  why: {
    en: 'You receive this mail because you are a contact of the issuer or of a receiver of this certificate.',
    de: 'Sie erhalten diese E-Mail, weil Sie Kontakt des Ausstellers oder eines Empfängers dieses Zeugnisses sind.',
  },
} as const satisfies Readonly<Record<string, Wording>>

const sentenceOf = ({ madeBy }: RecordedCorrection, isReplaced: boolean): Wording => {
  const by = madeBy === 'issuer' ? { en: 'its issuer', de: 'vom Aussteller' } : byOperator
  return isReplaced
    ? {
        en: `This certificate was replaced by ${by.en}. Use the new one.`,
        de: `Dieses Zeugnis wurde ${by.de} ersetzt. Verwenden Sie das neue.`,
      }
    : {
        en: `This certificate was withdrawn by ${by.en}. Do not rely on it any more.`,
        de: `Dieses Zeugnis wurde ${by.de} zurückgezogen. Verlassen Sie sich nicht mehr darauf.`,
      }
}
