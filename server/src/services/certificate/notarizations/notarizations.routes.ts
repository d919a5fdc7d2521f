import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCertificateResponse } from './certificate-response.ts'
import { findBodies, findCertificate, findCertificates } from './certificates.store.ts'
import { notarize } from './notarize.ts'
import type { StoredCertificate } from './stored-certificate.ts'

export const notarizationRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const { query } = deps.database
  const accept = notarize(deps)
  return [
    bind(operations.notarizeCertificate, accept),
    bind(operations.notarizeCertificateFile, accept),
    bind(operations.listCertificates, async (call) => {
      const { state, hash, identity } = call.query
      const filter = { companyId: call.companyId, mode: call.mode, state, hash, identityId: identity }
      const found = await listPage(
        call,
        (page) => findCertificates(query, { ...filter, ...page }),
        ({ id }) => id,
      )
      return found.map(toCertificateResponse)
    }),
    bind(operations.readCertificate, async (call) => toCertificateResponse(await own(deps, call))),
    bind(operations.readCertificateJson, async (call) => {
      const { id } = await own(deps, call)
      const { body } = await findBodies(query, id)
      if (body === undefined) throw new Problem('certificate_erased')
      return { type: 'application/json; charset=utf-8', bytes: body }
    }),
    bind(operations.readCertificatePdf, async (call) => {
      const { id, state } = await own(deps, call)
      if (state === 'accepted' || state === 'running') throw new Problem('certificate_pending')
      const { pdf } = await findBodies(query, id)
      if (pdf === undefined) throw new Problem('certificate_erased')
      return { type: 'application/pdf', bytes: pdf }
    }),
  ]
}

type ById = {
  readonly params: { readonly id: string }
  readonly companyId: string
  readonly assertRecordMode: (mode: StoredCertificate['mode']) => void
}

const own = async (
  { database }: CertificateDependencies,
  { params, companyId, assertRecordMode }: ById,
): Promise<StoredCertificate> => {
  const found = await findCertificate(database.query, params.id)
  if (found?.companyId !== companyId) throw new Problem('not_found')
  assertRecordMode(found.mode)
  return found
}
