import type { MailLanguage, Wording } from '../../../lib/mail-languages.ts'
import { oneLine } from '../../../lib/mail-layout.ts'
import { type StoredCertificate, summaryOf } from '../certificates/certificates.store.ts'

const maxSubjectLength = 120
/** Leaves room for what happened. */
const maxNumberLength = 60

const words = {
  en: { certificate: 'Certificate', from: 'from' },
  de: { certificate: 'Zeugnis', from: 'von' },
} as const

/**
 * `Certificate MC-4711 from Rolling Mill`, or what happened to it: `Certificate MC-4711 was withdrawn (Rolling Mill)`. Names
 * the company that notarized it: the certificate can name any seller.
 */
export const certificateSubjectOf = (
  certificate: StoredCertificate,
  { companyName }: { readonly companyName: string },
  language: MailLanguage,
  outcome?: Wording,
): string => {
  const { certificate: noun, from } = words[language]
  const title = `${noun} ${numberOf(certificate)}`
  if (outcome !== undefined)
    return subjectOf(certificate, `${title} ${outcome[language]}`, ` (${companyName})`)
  return subjectOf(certificate, title, ` ${from} ${companyName}`)
}

/** The end may be cut: what happened comes first, because mail programs show only the first words. */
export const subjectOf = ({ mode }: StoredCertificate, title: string, end = ''): string =>
  oneLine(`${mode === 'test' ? '[TEST] ' : ''}${title}${end}`, maxSubjectLength)

/** Without a number, the beginning of the hash, which no line is too short for. */
export const numberOf = (certificate: StoredCertificate): string =>
  oneLine(summaryOf(certificate).identifier ?? certificate.hash.slice(0, 12), maxNumberLength)
