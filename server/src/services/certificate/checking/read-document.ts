import { atPlace } from '@millseal/contract/reasons'
import { type Certificate, CertificateUnreadable, readCertificate } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'

/** Reads a certificate strictly; the error names the place that cannot be read. */
export const readDocument = (bytes: Uint8Array): Certificate => {
  try {
    return readCertificate(bytes)
  } catch (error) {
    throw error instanceof CertificateUnreadable ? unreadableProblem(error) : error
  }
}

export const unreadableProblem = ({ reason, pointer, tooLarge }: CertificateUnreadable): Problem => {
  const reasons = [pointer === '' ? reason : atPlace(pointer, reason)]
  if (tooLarge) return new Problem('body_too_large', { reasons })
  const code = pointer === '/RefSchemaUrl' ? 'certificate_invalid' : 'malformed_json'
  return new Problem(code, { reasons })
}
