import { fitsInMail } from '../../../lib/mail-size.ts'
import type { MailAttachment } from '../../../ports/mailer/mailer.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import type { CertificateWithBodies } from '../certificates/certificates.store.ts'
import { summaryOf } from '../certificates/certificates.store.ts'

/** Attached if a mail server accepts them; otherwise the mail has a link. */
export type CertificateFiles =
  | { readonly attachments: readonly MailAttachment[] }
  | { readonly tooLargeMebibytes: number }

export const filesOf = (
  { mailBytes }: CertificateDependencies,
  certificate: CertificateWithBodies,
): CertificateFiles => {
  const { body, pdf } = certificate
  const name = fileNameOf(certificate)
  const attachments = [
    ...(body === null ? [] : [{ filename: `${name}.json`, type: 'application/json', content: body }]),
    ...(pdf === null ? [] : [{ filename: `${name}.pdf`, type: 'application/pdf', content: pdf }]),
  ]
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0)
  return fitsInMail(bytes, mailBytes)
    ? { attachments }
    : { tooLargeMebibytes: Math.ceil((bytes / 2 ** 20) * 10) / 10 }
}

export const fileNameOf = (certificate: CertificateWithBodies): string => {
  const plain = (summaryOf(certificate).identifier ?? '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return `certificate-${plain === '' ? certificate.hash.slice(0, 12) : plain.slice(0, 60)}`
}
