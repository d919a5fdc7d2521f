import type { MailLanguage } from '../../../lib/mail-languages.ts'
import { oneLine } from '../../../lib/mail-layout.ts'
import { type StoredCertificate, summaryOf } from '../notarizations/certificates.store.ts'

const maxSubjectLength = 120

const words = {
  en: { certificate: 'Certificate', from: 'from' },
  de: { certificate: 'Zeugnis', from: 'von' },
} as const

/** Names the certificate. */
export const certificateSubjectOf = (certificate: StoredCertificate, language: MailLanguage): string => {
  const { identifier = '', sellerName } = summaryOf(certificate)
  const { certificate: noun, from } = words[language]
  const test = certificate.mode === 'test' ? '[TEST] ' : ''
  const seller = sellerName === undefined ? '' : ` ${from} ${sellerName}`
  return oneLine(`${test}${noun} ${identifier}${seller}`, maxSubjectLength)
}
