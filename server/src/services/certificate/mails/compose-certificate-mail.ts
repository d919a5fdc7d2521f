import { type Certificate, logoOf, materialOf } from '@millseal/families'
import { numberIn, type Wording } from '../../../lib/mail-languages.ts'
import {
  type MailContent,
  type MailLogo,
  oneLine,
  renderMail,
  timeOf,
  unsubscribeLink,
} from '../../../lib/mail-layout.ts'
import type { Confirmed } from '../../../ports/ledger/confirmations.ts'
import type { MailBody, MailFrame } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import {
  type CertificateWithBodies,
  type StoredCertificate,
  summaryOf,
} from '../certificates/certificates.store.ts'
import { verifyUrlOf } from '../rendering/verify-url.ts'
import type { CertificateFiles } from './certificate-files.ts'
import { certificateSubjectOf } from './certificate-subject.ts'
import { newFilesUrl } from './files-link.ts'
import type { Recipient } from './recipient.ts'
import { goodsFacts, languagesFor, ledgerFacts, namingFacts, reasonFact, testNotice } from './mail-facts.ts'

/** Returns a function that writes the mail for one recipient. */
export const composeCertificateMail = (
  deps: CertificateDependencies,
  {
    stored,
    certificate,
    files,
    replaced,
    confirmed,
  }: {
    readonly stored: CertificateWithBodies
    readonly certificate: Certificate
    readonly files: CertificateFiles
    readonly replaced: { readonly certificate: StoredCertificate; readonly reason: string } | undefined
    readonly confirmed: Confirmed | undefined
  },
): ((frame: MailFrame, as: Recipient['as']) => Promise<MailBody>) => {
  const logo = smallLogoOf(certificate)
  const facts = [
    ...namingFacts(stored),
    ...goodsFacts(summaryOf(stored), materialOf(certificate)),
    ...ledgerFacts(stored, confirmed),
    ...(replaced === undefined ? [] : replacedFacts(replaced)),
  ]
  return async (frame, as) => {
    const languages = languagesFor(frame, certificate)
    const parts = await filesPart(deps, stored, files)
    const { text, html, pictures } = renderMail({
      languages,
      sender: { name: frame.companyName, logo },
      notice: testNotice(stored.mode),
      ...wordsFor(as, frame),
      ...parts,
      before: [...(replaced === undefined ? [] : [replacesOld]), ...parts.before],
      facts,
      button: { label: verify, url: verifyUrlOf(deps, stored) },
      unsubscribe: unsubscribeLink(frame),
    })
    const attached = 'attachments' in files ? files.attachments : []
    const subject = certificateSubjectOf(stored, frame, languages[0])
    return { subject, text, html, attachments: [...pictures, ...attached] }
  }
}

const replacesOld: Wording = {
  en: 'It replaces an earlier certificate, which is not valid any more. Use this one.',
  de: 'Es ersetzt ein früheres Zeugnis, das nicht mehr gilt. Verwenden Sie dieses.',
}

const replacedFacts = ({
  certificate,
  reason,
}: {
  readonly certificate: StoredCertificate
  readonly reason: string
}): MailContent['facts'] => [
  [{ en: 'Replaces', de: 'Ersetzt' }, summaryOf(certificate).identifier ?? certificate.hash],
  reasonFact(reason),
]

const verify: Wording = { en: 'Verify', de: 'Prüfen' }

const wordsFor = (as: Recipient['as'], { companyName }: MailFrame): Pick<MailContent, 'heading' | 'why'> => {
  const name = oneLine(companyName)
  return as === 'issuer'
    ? {
        heading: { en: 'Your certificate was notarized', de: 'Ihr Zeugnis wurde notarisiert' },
        why: {
          en: `You receive this mail because ${name} notarized this certificate, and you are one of its contacts.`,
          de: `Sie erhalten diese E-Mail, weil ${name} dieses Zeugnis notarisiert hat und Sie dort als Kontakt hinterlegt sind.`,
        },
      }
    : {
        heading: {
          en: 'A certificate for you was notarized',
          de: 'Ein Zeugnis für Sie wurde notarisiert',
        },
        why: {
          en: `You receive this mail because ${name} names your address in this certificate.`,
          de: `Sie erhalten diese E-Mail, weil ${name} Ihre Adresse in diesem Zeugnis nennt.`,
        },
      }
}

const filesPart = async (
  deps: CertificateDependencies,
  stored: CertificateWithBodies,
  files: CertificateFiles,
): Promise<Pick<MailContent, 'before' | 'link' | 'after'>> => {
  const after = [
    {
      en: 'Anyone can verify either file there, without an account.',
      de: 'Dort kann jeder beide Dateien prüfen, ohne Konto.',
    },
  ]
  if ('attachments' in files) {
    return {
      before: [
        {
          en: 'The JSON and PDF files are attached. Keep them unchanged.',
          de: 'Die JSON- und die PDF-Datei sind angehängt. Bewahren Sie beide unverändert auf.',
        },
      ],
      after,
    }
  }
  const url = await newFilesUrl(deps, stored)
  const [size, until] = [files.tooLargeMebibytes, timeOf(stored.retainedUntil)]
  return {
    before: [
      {
        en: `The JSON and PDF files are too large for a mail (${numberIn('en', size)} MiB). You can download them until ${until}.`,
        de: `Die JSON- und die PDF-Datei sind zu groß für eine E-Mail (${numberIn('de', size)} MiB). Sie können beide bis ${until} herunterladen.`,
      },
    ],
    link: { label: { en: 'Download files', de: 'Dateien herunterladen' }, url },
    after,
  }
}

const maxLogoLength = 300_000

/** The logo in the certificate, if it has one that is small enough for a mail. */
const smallLogoOf = (certificate: Certificate): MailLogo | undefined => {
  const logo = logoOf(certificate)
  return logo === undefined || logo.base64.length > maxLogoLength ? undefined : logo
}
