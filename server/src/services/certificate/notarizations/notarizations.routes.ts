import { type Certificate, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { replaceCertificate, withdrawCertificate } from '../corrections/correct-certificate.ts'
import { findRecordedCorrections } from '../corrections/corrections.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from './certificate-response.ts'
import { findCertificates } from './certificates.store.ts'
import { notarize } from './notarize.ts'
import { readCertificate, readCertificateJson, readCertificatePdf } from './read-certificate.ts'

export const notarizationRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.notarizeCertificate, notarize),
    bind(operations.notarizeCertificateFile, notarize),
    bind(operations.listCertificates, listCertificates),
    bind(operations.readCertificate, readCertificate),
    bind(operations.readCertificateJson, readCertificateJson),
    bind(operations.readCertificatePdf, readCertificatePdf),
    bind(operations.withdrawCertificate, withdrawCertificate),
    bind(operations.replaceCertificate, replaceCertificate),
  ]
}

const listCertificates = async (
  { database }: CertificateDependencies,
  call: Call<typeof operations.listCertificates>,
): Promise<Certificate[]> => {
  const { companyId, mode } = call
  const { state, hash, identity: identityId } = call.query
  const found = await listPage(
    call,
    (page) => findCertificates(database.query, { companyId, mode, state, hash, identityId, ...page }),
    ({ id }) => id,
  )
  const corrections = Map.groupBy(
    await findRecordedCorrections(
      database.query,
      found.map(({ id }) => id),
    ),
    ({ certificateId }) => certificateId,
  )
  return found.map((certificate) => toCertificateResponse(certificate, corrections.get(certificate.id)))
}
