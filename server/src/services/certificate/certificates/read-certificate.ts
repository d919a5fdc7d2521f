import type { Certificate, CertificateMail, operations } from '@millseal/contract'
import type { Call, Content } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { findRecordedCorrections } from './corrections.store.ts'
import type { CompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { requireReadable } from './require-readable.ts'
import { toCertificateResponse } from './certificate-response.ts'
import { findCertificate, findCertificateWithBodies } from './certificates.store.ts'

export const readCertificate = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.readCertificate>,
): Promise<Certificate> => {
  const { query } = deps.database
  const certificate = await requireReadable(deps, call, await findCertificate(query, call.params.id))
  const { mode, transactionId } = certificate
  const [corrections, confirmed, mails] = await Promise.all([
    findRecordedCorrections(query, [certificate.id]),
    deps.keys.confirmed.find({ mode, transactionIds: [transactionId] }),
    // A receiver sees none: these are the mails of the calling company.
    deps.users.findMailsAbout(query, { companyId: call.companyId, about: certificate.id }),
  ])
  return {
    ...toCertificateResponse(certificate, corrections, confirmed.get(transactionId ?? '')),
    mails: mails.length === 0 ? undefined : mails.map(toMailState),
  }
}

export const toMailState = ({
  address,
  heldBack,
  refusal,
  sentAt,
  isSaved,
  again,
}: Mailed): CertificateMail => ({
  to: address,
  state: stateOf({ heldBack, refusal, sentAt }),
  reason: heldBack ?? undefined,
  sentAt: sentAt?.toISOString(),
  saved: isSaved || undefined,
  again: again > 0 || undefined,
})

type Mailed = Pick<CompanyMail, 'address' | 'heldBack' | 'refusal' | 'sentAt' | 'isSaved' | 'again'>

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
  deps: CertificateDependencies,
  call: Call<typeof operations.readCertificateJson>,
): Promise<Content> => {
  const found = await findCertificateWithBodies(deps.database.query, call.params.id)
  const { body } = await requireReadable(deps, call, found)
  if (body === null) throw new Problem('certificate_erased')
  return { type: 'application/json; charset=utf-8', bytes: body }
}

export const readCertificatePdf = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.readCertificatePdf>,
): Promise<Content> => {
  const found = await findCertificateWithBodies(deps.database.query, call.params.id)
  const { state, pdf } = await requireReadable(deps, call, found)
  if (state !== 'notarized' && state !== 'failed') throw new Problem('certificate_pending')
  if (pdf === null) throw new Problem('certificate_erased')
  return { type: 'application/pdf', bytes: pdf }
}
