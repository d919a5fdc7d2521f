import type { Company, UserResponse } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { readCompanies, toUser } from '../companies/company-response.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'

export const readUserResponse = async (query: Query, id: string): Promise<UserResponse> => {
  const user = await findUser(query, id)
  if (user === undefined) throw new Problem('not_found')
  return toUserResponse(user, await readCompanies(query, { memberIds: [user.id] }))
}

export const readUserResponses = async (
  query: Query,
  users: readonly StoredUser[],
): Promise<UserResponse[]> => {
  if (users.length === 0) return []
  const companies = await readCompanies(query, { memberIds: users.map(({ id }) => id) })
  return users.map((user) => toUserResponse(user, companies))
}

/** `companies` are those the user owns; `assignedCompanies` are all others of the user. */
export const toUserResponse = (user: StoredUser, companies: readonly Company[] = []): UserResponse => ({
  ...toUser(user),
  language: user.language ?? undefined,
  companies: companies.filter(({ owner }) => owner.id === user.id),
  assignedCompanies: companies.filter(({ members }) => members.some(({ id }) => id === user.id)),
})
