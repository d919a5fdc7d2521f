import { withoutRealCertificates } from '../../families/test/real-certificates.ts'
import { openVariedCertificates } from '../../families/test/varied-certificates.ts'
import { Skipped } from './row.ts'

/** The published certificates, which are not part of the project. */
export const openPublished = async () => {
  if (withoutRealCertificates !== false) throw new Skipped(withoutRealCertificates)
  return await openVariedCertificates()
}
