import type { Query } from '../../../ports/database/database.ts'
import { findMembers, type Person } from '../members/members.store.ts'
import { findCompanies, type StoredCompany } from './companies.store.ts'

const maxVatIds = 20

/** However other papers write them: with blanks, dots or dashes, in small letters. */
export const findCompaniesByVatIds = async (
  query: Query,
  { vatIds, onlyVerified }: { readonly vatIds: readonly string[]; readonly onlyVerified: boolean },
): Promise<readonly StoredCompany[]> => {
  const plain = [...new Set(vatIds.map((vatId) => vatId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')))]
  const wanted = plain.filter((vatId) => vatId !== '').slice(0, maxVatIds)
  if (wanted.length === 0) return []
  return findCompanies(query, { vatIds: wanted, ...(onlyVerified ? { verified: true } : {}) })
}

/** The active people who run a company, to be mailed about it. */
export const findActiveAdmins = async (query: Query, companyId: string): Promise<readonly Person[]> =>
  (await findMembers(query, [companyId]))
    .filter(({ role, user }) => role === 'admin' && user.status === 'active')
    .map(({ user }) => user)
