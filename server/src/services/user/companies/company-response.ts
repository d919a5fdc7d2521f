import type { Address, Company, Member, User } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'
import type { Person } from '../users/users.store.ts'
import { findMembers, type StoredMember } from './members.store.ts'
import { type CompanyFilter, findCompanies, type StoredCompany } from './companies.store.ts'

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
  const people = members.filter(({ companyId }) => companyId === company.id)
  const owner = people.find(({ id }) => id === company.ownerId)
  if (owner === undefined) throw new Error(`Company ${company.id} has no owner among its members`)
  const createdAt = company.createdAt.toISOString()
  const updatedAt = company.updatedAt.toISOString()
  return {
    id: company.id,
    createdAt,
    updatedAt,
    name: company.name,
    address: { ...addressOf(company), createdAt, updatedAt },
    vatId: company.vatId,
    emails: company.emails,
    websites: company.websites,
    accreditations: company.accreditations,
    onFindings: company.onFindings,
    fourEyes: company.fourEyes,
    verified: company.verifiedAt !== null,
    owner: toUser(owner),
    members: people.filter((person) => person !== owner).map(toUser),
    wallets: [],
    transactions: [],
  }
}

export const addressOf = ({
  addressId,
  country,
  street,
  city,
  zipCode,
}: StoredCompany): Omit<Address, 'createdAt' | 'updatedAt'> => ({
  id: addressId,
  country,
  street,
  city,
  zipCode,
})

export const toMemberResponse = (member: StoredMember): Member => ({
  user: toUser(member),
  role: member.memberRole,
  since: member.since.toISOString(),
})

export const toUser = (person: Person): User => ({
  id: person.id,
  createdAt: person.createdAt.toISOString(),
  updatedAt: person.updatedAt.toISOString(),
  username: person.username,
  email: person.email,
  role: person.role,
  status: person.status,
  emailConfirmed: person.emailConfirmedAt !== null,
  onBoarded: person.onBoarded,
})
