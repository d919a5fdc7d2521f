import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import type { Owner } from '../users/guessable-password.ts'

/** More do not make a password easier to guess. */
const mostCompanies = 20

/** A user with what others know: the names of the companies. */
export const passwordOwner = async (
  { database }: UserDependencies,
  { id, username, email }: { readonly id: string; readonly username: string; readonly email: string },
): Promise<Owner> => {
  const companies = await findCompanies(database.query, { memberIds: [id], limit: mostCompanies })
  return { username, email, companies: companies.map(({ name }) => name) }
}
