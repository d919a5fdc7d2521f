import type { CompanyReference, Mode } from '@millseal/contract'
import type { KmDependencies } from '../dependencies.ts'
import { findIdentitiesWithKeys } from './public-identities.store.ts'

/** Whose key it is, as its company made it known to everybody. */
export type KnownIdentity = {
  readonly id: string
  readonly publicKey: string
  readonly did: string
  readonly company: CompanyReference
  /** Where on the ledger it was made public. */
  readonly transactionId?: string
}

/** By their public keys. */
export const findKnownIdentities =
  ({ database, users }: Pick<KmDependencies, 'database' | 'users'>, mode: Mode) =>
  async (publicKeys: readonly string[]): Promise<ReadonlyMap<string, KnownIdentity>> => {
    const { query } = database
    const found = await findIdentitiesWithKeys(query, { mode, publicKeys })
    const companyIds = [...new Set(found.map(({ companyId }) => companyId))]
    const companies = new Map(
      (await users.findCompaniesById(query, companyIds)).map((company) => [company.id, company]),
    )
    const known = new Map<string, KnownIdentity>()
    for (const { id, publicKey, did, companyId, ledgerId } of found) {
      const company = companies.get(companyId)
      if (company === undefined) continue
      const publication = ledgerId === undefined ? {} : { transactionId: ledgerId }
      known.set(publicKey, { id, publicKey, did, company, ...publication })
    }
    return known
  }
