import type { Certificate, CertificateMail, operations } from '@millseal/contract'
import type { Call, Content } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { findRecordedCorrections } from '../corrections/corrections.store.ts'
import type { CompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from './certificate-response.ts'
import { findCertificate, findCertificateWithBodies, type StoredCertificate } from './certificates.store.ts'

export const readCertificate = async (
  { database, users }: CertificateDependencies,
  call: Call<typeof operations.readCertificate>,
): Promise<Certificate> => {
  const certificate = requireOwn(await findCertificate(database.query, call.params.id), call)
  const [corrections, mails] = await Promise.all([
    findRecordedCorrections(database.query, [certificate.id]),
    users.findMailsAbout(database.query, { companyId: certificate.companyId, about: certificate.id }),
  ])
  return {
    ...toCertificateResponse(certificate, corrections),
    mails: mails.length === 0 ? undefined : mails.map(toMailState),
  }
}

const toMailState = ({ address, heldBack, refusal, sentAt }: CompanyMail): CertificateMail => ({
  to: address,
  state: stateOf({ heldBack, refusal, sentAt }),
  reason: heldBack ?? undefined,
  sentAt: sentAt?.toISOString(),
})

const stateOf = ({
  heldBack,
  refusal,
  sentAt,
}: Pick<CompanyMail, 'heldBack' | 'refusal' | 'sentAt'>): CertificateMail['state'] => {
  if (heldBack !== null) return 'not_sent'
  if (refusal !== null) return 'refused'
  return sentAt === null ? 'waiting' : 'sent'
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
