import { type Certificate, CertificateUnreadable, readCertificate } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'

/** What the client sent as a certificate, read strictly; a refusal names the place. */
export const readDocument = (bytes: Uint8Array): Certificate => {
  try {
    return readCertificate(bytes)
  } catch (error) {
    if (!(error instanceof CertificateUnreadable)) throw error
    if (error.tooLarge) throw new Problem('body_too_large', { details: [error.message] })
    const code = error.pointer === '/RefSchemaUrl' ? 'certificate_invalid' : 'malformed_json'
    throw new Problem(code, { details: [error.message] })
  }
}
