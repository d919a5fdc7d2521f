import type { Mode, Verification } from '@millseal/contract'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import type { Certificate, Finding, ReadCertificate } from '@millseal/families'
import { otherAmong, otherSeller, otherSellerSentence, type Seller } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'

type Asked = {
  readonly certificate: Certificate
  /** The company of the call. */
  readonly companyId: string | undefined
}

/** Undefined if the certificate names the company itself, or no seller. */
const findOther = async (
  { users, database }: CertificateDependencies,
  { certificate, companyId }: Asked,
): Promise<{ readonly company: string; readonly seller: Seller } | undefined> => {
  const company = companyId === undefined ? undefined : await users.findCompany(database.query, companyId)
  const seller = company && otherSeller({ ...certificate.json }, company)
  return seller && { company: company.name, seller }
}

export const warningOfOtherSeller = async (
  deps: CertificateDependencies,
  asked: Asked,
): Promise<readonly Finding[]> => {
  const found = await findOther(deps, asked)
  return found === undefined ? [] : [{ pointer: found.seller.pointer, reason: reasonOf(found) }]
}

/** Throws if the operator forbids that live certificates name another seller. */
export const assertSellerAllowed = async (
  deps: CertificateDependencies,
  { mode, ...asked }: Asked & { readonly mode: Mode },
): Promise<void> => {
  if (mode === 'test' || deps.allowsOtherSellers) return
  const found = await findOther(deps, asked)
  if (found !== undefined)
    throw new Problem('seller_differs', { reasons: [atPlace(found.seller.pointer, reasonOf(found))] })
}

/** Follows the pointer in a sentence. */
const reasonOf = ({ company, seller: { role, name, vatId } }: { company: string; seller: Seller }): Reason =>
  because('names_other_seller', {
    name: name ?? because('seller_by_vat_id', { vatId: String(vatId) }),
    role: because(`role_${role}`),
    company,
  })

/** What a verification says about the seller. A certificate whose notary is not known has none to compare. */
export const remarkOnSeller = (
  certificate: ReadCertificate | undefined,
  notary: { readonly name: string; readonly vatId: string | undefined } | undefined,
): Pick<Verification, 'otherSeller' | 'message'> => {
  if (certificate === undefined || notary === undefined) return {}
  const other = otherAmong(certificate.sellers, notary)
  if (other === undefined) return {}
  const { role, name, vatId } = other
  return { otherSeller: { role, name, vatId }, message: `${otherSellerSentence(notary.name, other)}.` }
}
