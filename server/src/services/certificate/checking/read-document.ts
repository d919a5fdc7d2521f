import { limits } from '@millseal/contract'
import { atPlace, because } from '@millseal/contract/reasons'
import { type Certificate, CertificateUnreadable, readCertificate, ReadingRefused } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'

/** Reads a certificate strictly, a large one in another thread; the error names the place that cannot be read. */
export const readDocument = async (
  { reader }: CertificateDependencies,
  bytes: Uint8Array,
): Promise<Certificate> => {
  try {
    const isLarge = bytes.length > limits.body.defaultBytes
    return isLarge ? await reader.readCertificate(bytes) : readCertificate(bytes)
  } catch (error) {
    throw problemOfReading(error)
  }
}

/** The answer to a file that could not be read; any other error as it is. */
export const problemOfReading = (error: unknown): unknown => {
  if (error instanceof CertificateUnreadable) return unreadable(error)
  return error instanceof ReadingRefused ? refused(error) : error
}

const unreadable = ({ reason, pointer, tooLarge }: CertificateUnreadable): Problem => {
  const reasons = [pointer === '' ? reason : atPlace(pointer, reason)]
  if (tooLarge) return new Problem('body_too_large', { reasons })
  const code = pointer === '/RefSchemaUrl' ? 'certificate_invalid' : 'malformed_json'
  return new Problem(code, { reasons })
}

const refused = ({ reason, retryAfterSeconds }: ReadingRefused): Problem => {
  if (reason === 'too_costly') return new Problem('file_too_costly')
  if (reason === 'busy') return new Problem('unavailable', { retryAfterSeconds })
  return new Problem('rate_limited', {
    retryAfterSeconds,
    reasons: [because('files_cost_too_much', { seconds: retryAfterSeconds })],
  })
}
