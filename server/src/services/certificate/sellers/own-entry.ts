import type { Mode } from '@millseal/contract'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import type { Certificate } from '@millseal/families'
import { sellersOf } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'

type Asked = {
  readonly mode: Mode
  readonly certificate: Certificate
  readonly companyId: string
  /** The entry that was first, if there is one. */
  readonly first: LedgerRecord | undefined
}

/**
 * Throws unless the certificate names the company as its seller by the VAT id that was reviewed, in test mode too. If it
 * also names the company that was first, that one stays the only one.
 */
export const assertMayRecordOwn = async (deps: CertificateDependencies, asked: Asked): Promise<void> => {
  const reason = await refusalOf(deps, asked)
  if (reason !== undefined) throw new Problem('not_the_seller', { reasons: [atPlace('/own', reason)] })
}

const refusalOf = async (
  { users, keys, database }: CertificateDependencies,
  { mode, certificate, companyId, first }: Asked,
): Promise<Reason | undefined> => {
  const publicKey = first?.issuerPublicKey
  const issuer = publicKey === undefined ? undefined : await keys.findIssuer({ mode, publicKey })
  const other = issuer?.identity?.company
  const verified = await users.findVerifications(database.query, [companyId, other?.id ?? []].flat())
  const own = verified.get(companyId)
  if (own === undefined) return because('own_needs_review')
  const named = sellersOf({ ...certificate.json }).flatMap(({ vatId }) => vatId ?? [])
  if (named.length === 0) return because('own_names_no_vat_id')
  const isNamed = (vatId: string) => named.some((one) => plain(one) === plain(vatId))
  if (!isNamed(own.vatId))
    return because('own_names_other_vat_id', { yours: own.vatId, named: named.join(', ').slice(0, 120) })
  const before = other === undefined || other.id === companyId ? undefined : verified.get(other.id)
  return before !== undefined && isNamed(before.vatId)
    ? because('own_first_is_named', { company: before.company })
    : undefined
}

/** Unlike a remark, a right needs the letters of the country too. */
const plain = (vatId: string): string => vatId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
