import { type Certificate, CertificateUnreadable, readCertificate } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'

/** Reads a certificate strictly; the error names the place that cannot be read. */
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
