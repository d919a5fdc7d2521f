import type { Query } from '../../../ports/database/database.ts'
import { findMembers, type StoredMember } from '../members/members.store.ts'
import { findCompanies, type StoredCompany } from './companies.store.ts'

const maxVatIds = 20

/** Ignores letter case, blanks, dots and dashes in the ids. */
export const findCompaniesByVatIds = async (
  query: Query,
  { vatIds, onlyVerified }: { readonly vatIds: readonly string[]; readonly onlyVerified: boolean },
): Promise<readonly StoredCompany[]> => {
  const plain = [...new Set(vatIds.map((vatId) => vatId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')))]
  const wanted = plain.filter((vatId) => vatId !== '').slice(0, maxVatIds)
  if (wanted.length === 0) return []
  return findCompanies(query, { vatIds: wanted, verified: onlyVerified || undefined })
}

export const findActiveAdmins = async (query: Query, companyId: string): Promise<readonly StoredMember[]> =>
  (await findMembers(query, [companyId])).filter(
    ({ memberRole, status }) => memberRole === 'admin' && status === 'active',
  )
