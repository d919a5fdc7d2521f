import type { Certificate, operations } from '@millseal/contract'
import type { Call, Content } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { findRecordedCorrections } from '../corrections/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from './certificate-response.ts'
import { findCertificate, findCertificateWithBodies, type StoredCertificate } from './certificates.store.ts'

export const readCertificate = async (
  { database }: CertificateDependencies,
  call: Call<typeof operations.readCertificate>,
): Promise<Certificate> => {
  const certificate = requireOwn(await findCertificate(database.query, call.params.id), call)
  return toCertificateResponse(certificate, await findRecordedCorrections(database.query, [certificate.id]))
}

export const readCertificateJson = async (
  { database }: CertificateDependencies,
  call: Call<typeof operations.readCertificateJson>,
): Promise<Content> => {
  const { body } = requireOwn(await findCertificateWithBodies(database.query, call.params.id), call)
  if (body === null) throw new Problem('certificate_erased')
  return { type: 'application/json; charset=utf-8', bytes: body }
}

export const readCertificatePdf = async (
  { database }: CertificateDependencies,
  call: Call<typeof operations.readCertificatePdf>,
): Promise<Content> => {
  const { state, pdf } = requireOwn(await findCertificateWithBodies(database.query, call.params.id), call)
  if (state === 'accepted' || state === 'running') throw new Problem('certificate_pending')
  if (pdf === null) throw new Problem('certificate_erased')
  return { type: 'application/pdf', bytes: pdf }
}

const requireOwn = <Row extends StoredCertificate>(
  certificate: Row | undefined,
  {
    companyId,
    assertRecordMode,
  }: Pick<Call<typeof operations.readCertificate>, 'companyId' | 'assertRecordMode'>,
): Row => {
  if (certificate?.companyId !== companyId) throw new Problem('not_found')
  assertRecordMode(certificate.mode)
  return certificate
}
