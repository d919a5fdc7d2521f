import type { Onboarding } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findOnboardingSteps } from './onboarding.store.ts'

/** The steps a user has to complete before notarizing live certificates. */
export const readOnboarding = async (
  { database, findKeySteps }: UserDependencies,
  userId: string,
): Promise<Onboarding> => {
  const stored = await findOnboardingSteps(database.query, userId)
  if (stored === undefined) throw new Problem('token_invalid')
  const companies = await findCompanies(database.query, { memberIds: [userId] })
  const { hasWallet, hasIdentity } = await findKeySteps(companies.map(({ id }) => id))
  const steps = { ...stored, walletCreated: hasWallet, identityCreated: hasIdentity }
  return { userId, steps, completed: Object.values(steps).every(Boolean) }
}
