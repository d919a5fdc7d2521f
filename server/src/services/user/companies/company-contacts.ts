import type { Mode } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'
import { findMembers, type StoredMember } from './members.store.ts'
import { findCompanies, type StoredCompany } from './companies.store.ts'

const maxVatIds = 20

export type WantedVatIds = { readonly vatIds: readonly string[]; readonly mode: Mode }

/** Ignores letter case, blanks, dots and dashes in the ids. */
export const findCompaniesByVatIds = async (
  query: Query,
  wanted: readonly WantedVatIds[],
): Promise<readonly (readonly StoredCompany[])[]> => {
  const plain = wanted.map(({ vatIds, mode }) => ({ mode, vatIds: plainVatIds(vatIds) }))
  const all = new Set(plain.flatMap(({ vatIds }) => [...vatIds]))
  const found = all.size === 0 ? [] : await findCompanies(query, { vatIds: [...all] })
  return plain.map(({ vatIds, mode }) =>
    found.filter(({ vatId, verifiedAt }) => vatIds.has(vatId) && (mode === 'test' || verifiedAt !== null)),
  )
}

const plainVatIds = (vatIds: readonly string[]): ReadonlySet<string> => {
  const plain = new Set(vatIds.map((vatId) => vatId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')))
  plain.delete('')
  return new Set([...plain].slice(0, maxVatIds))
}

export const findActiveAdmins = async (query: Query, companyId: string): Promise<readonly StoredMember[]> =>
  (await findMembers(query, [companyId])).filter(
    ({ memberRole, status }) => memberRole === 'admin' && status === 'active',
  )

/** Those who may release what others submit. */
export const findReleasers = async (query: Query, companyId: string): Promise<readonly StoredMember[]> =>
  (await findMembers(query, [companyId])).filter(
    ({ memberRole, status }) => status === 'active' && (memberRole === 'approver' || memberRole === 'admin'),
  )
