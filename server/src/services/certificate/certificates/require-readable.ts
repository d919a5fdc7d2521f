import type { operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import type { StoredCertificate } from './certificates.store.ts'
import { mayReceive } from './may-receive.ts'
import { isReceiver } from './receivers.store.ts'

type Reader = Pick<Call<typeof operations.readCertificate>, 'companyId' | 'assertRecordMode'>

/** A certificate that the company of the call issued or received. Any other one does not exist for it. */
export const requireReadable = async <Row extends StoredCertificate>(
  deps: CertificateDependencies,
  { companyId, assertRecordMode }: Reader,
  certificate: Row | undefined,
): Promise<Row> => {
  if (certificate === undefined) throw new Problem('not_found')
  if (certificate.companyId !== companyId) {
    const about = { certificateId: certificate.id, companyId }
    if (!(await isReceiver(deps.database.query, about)) || !(await mayReceive(deps, companyId)))
      throw new Problem('not_found')
  }
  assertRecordMode(certificate.mode)
  return certificate
}

/** A certificate that the company of the call issued. */
export const requireOwn = (
  { companyId, assertRecordMode }: Reader,
  certificate: StoredCertificate | undefined,
): StoredCertificate => {
  if (certificate?.companyId !== companyId) throw new Problem('not_found')
  assertRecordMode(certificate.mode)
  return certificate
}
