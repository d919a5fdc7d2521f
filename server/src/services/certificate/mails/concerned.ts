import { type CertificateParties, partiesOf, readCertificate } from '@millseal/families'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { recipientsOf } from './certificate-mail.ts'
import { findReceiverIds } from '../certificates/receivers.store.ts'
import type { StoredCertificate } from '../certificates/certificates.store.ts'

/** Undefined once the body is erased. */
export const partiesIn = (body: Uint8Array | null | undefined): CertificateParties | undefined =>
  body ? partiesOf(readCertificate(body)) : undefined

/** The companies that received the certificate, as it was notarized and as it names them. */
export const receiversOf = async (
  { users }: CertificateDependencies,
  tx: Transaction,
  {
    certificate: { id, mode },
    parties,
  }: {
    readonly certificate: StoredCertificate
    readonly parties: CertificateParties | undefined
  },
): Promise<readonly string[]> => {
  const vatIds = (parties?.receivers ?? []).flatMap(({ vatId }) => vatId ?? [])
  const [told, named] = await Promise.all([
    findReceiverIds(tx, id),
    users.findCompaniesByVatIds(tx, [{ vatIds, mode }]),
  ])
  return [...new Set([...told, ...named.flat().map((company) => company.id)])]
}

export type Concerned = {
  /** The issuer. */
  readonly companyId: string
  /** Undefined once the body of the certificate is erased: then only the companies get a mail. */
  readonly parties: CertificateParties | undefined
  readonly receiverIds: readonly string[]
}

/** Everybody who was mailed the certificate, and the contacts of its receivers. */
export const addressesOf = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { companyId, parties = { senders: [], receivers: [] }, receiverIds }: Concerned,
): Promise<ReadonlySet<string>> => {
  const [recipients = []] = await recipientsOf(deps, tx, [{ companyId, parties }])
  const addresses = new Set(recipients.map(({ address }) => address))
  for (const receiverId of receiverIds)
    for (const address of await deps.users.findContacts(tx, receiverId))
      addresses.add(address.trim().toLowerCase())
  return addresses
}

export const referenceTo = ({ hash, pdfHash, transactionId }: StoredCertificate) => ({
  hash,
  pdfHash: pdfHash ?? undefined,
  transactionId: transactionId ?? '',
})
