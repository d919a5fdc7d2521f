import type { Company, Member, User } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'
import { type CompanyFilter, findCompanies, type StoredCompany } from './companies.store.ts'
import { findMembers, type Person, type StoredMember } from '../members/members.store.ts'

/** Companies as the API shows them, with the people in them. */
export const readCompanies = async (query: Query, filter: CompanyFilter): Promise<Company[]> => {
  const companies = await findCompanies(query, filter)
  if (companies.length === 0) return []
  const members = await findMembers(
    query,
    companies.map(({ id }) => id),
  )
  return companies.map((company) => toCompanyResponse(company, members))
}

export const readCompany = async (query: Query, id: string): Promise<Company | undefined> => {
  const [company] = await readCompanies(query, { id })
  return company
}

export const toCompanyResponse = (company: StoredCompany, members: readonly StoredMember[]): Company => {
  const people = members.filter(({ companyId }) => companyId === company.id).map(({ user }) => user)
  const owner = people.find(({ id }) => id === company.ownerId)
  if (owner === undefined) throw new Error(`Company ${company.id} has no owner among its members`)
  const createdAt = company.createdAt.toISOString()
  const updatedAt = company.updatedAt.toISOString()
  return {
    id: company.id,
    createdAt,
    updatedAt,
    name: company.name,
    address: { ...company.address, createdAt, updatedAt },
    vatId: company.vatId,
    emails: [...company.emails],
    websites: [...company.websites],
    accreditations: [...company.accreditations],
    verified: company.verifiedAt !== undefined,
    owner: toUser(owner),
    members: people.filter((person) => person !== owner).map(toUser),
    wallets: [],
    transactions: [],
  }
}

export const toMemberResponse = ({ user, role, since }: StoredMember): Member => ({
  user: toUser(user),
  role,
  since: since.toISOString(),
})

const toUser = (person: Person): User => ({
  id: person.id,
  createdAt: person.createdAt.toISOString(),
  updatedAt: person.updatedAt.toISOString(),
  username: person.username,
  email: person.email,
  role: person.role,
  status: person.status,
  emailConfirmed: person.emailConfirmed,
  onBoarded: person.onBoarded,
})
