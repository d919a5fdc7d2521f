import type { InboxEntry, Mode } from '@millseal/contract'
import { type Certificate, compareFacts, readCertificate, summarize } from '@millseal/families'
import { mayReceive } from '../certificates/may-receive.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { filterKey } from './filter-key.ts'
import { findFiles, findOriginal } from './inbox.store.ts'

export type Changed = NonNullable<InboxEntry['changed']>

/** As many as somebody reads. */
const mostValues = 20

/** What differs from the certificate with this number and supplier that was notarized for the company. */
export const findChange = async (
  deps: CertificateDependencies,
  { companyId, mode }: { readonly companyId: string; readonly mode: Mode },
  certificate: Certificate,
): Promise<Changed | undefined> => {
  const { identifier, sellerName } = summarize(certificate)
  const [number, supplier] = [filterKey(identifier), filterKey(sellerName)]
  if (number === '' || supplier === '') return undefined
  const { query } = deps.database
  const scope = { companyId, mayReceive: await mayReceive(deps, companyId) }
  const original = await findOriginal(query, { ...scope, mode, number, supplier, hash: certificate.hash })
  if (original === undefined) return undefined
  const { body } = await findFiles(query, original)
  const values = body === null ? [] : compareFacts(readCertificate(body), certificate)
  return { original: original.id, values: values.slice(0, mostValues) }
}
