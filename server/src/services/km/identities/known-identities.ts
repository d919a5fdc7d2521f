import type { CompanyReference, Mode } from '@millseal/contract'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentitiesWithKeys } from './public-identities.store.ts'

/** A published identity, with the company that owns it. */
export type KnownIdentity = {
  readonly id: string
  readonly publicKey: string
  readonly did: string
  readonly company: CompanyReference
  /** The transaction on the ledger that published it. */
  readonly transactionId?: string
}

/** By their public keys. */
export const findKnownIdentities = async (
  { database, users }: KmDependencies,
  mode: Mode,
  publicKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownIdentity>> => {
  const found = await findIdentitiesWithKeys(database.query, mode, publicKeys)
  const companyIds = [...new Set(found.map(({ companyId }) => companyId))]
  const companies = new Map(
    (await users.findCompaniesById(database.query, companyIds)).map((company) => [company.id, company]),
  )
  const known = new Map<string, KnownIdentity>()
  for (const { id, publicKey, did, companyId, ledgerId } of found) {
    const company = companies.get(companyId)
    if (company === undefined) continue
    known.set(publicKey, { id, publicKey, did, company, transactionId: ledgerId ?? undefined })
  }
  return known
}
