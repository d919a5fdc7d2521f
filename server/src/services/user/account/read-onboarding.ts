import type { Onboarding } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findOnboarding } from './onboarding.store.ts'

type Dependencies = Pick<UserDependencies, 'database' | 'findKeySteps'>

/** What is left to do before live certificates. */
export const readOnboarding =
  ({ database, findKeySteps }: Dependencies) =>
  async (userId: string): Promise<Onboarding> => {
    const facts = await findOnboarding(database.query, userId)
    if (facts === undefined) throw new Problem('token_invalid')
    const companies = await findCompanies(database.query, { memberIds: [userId] })
    const { hasWallet, hasIdentity } = await findKeySteps(companies.map(({ id }) => id))
    const steps = { ...facts, walletCreated: hasWallet, identityCreated: hasIdentity }
    return { userId, steps, completed: Object.values(steps).every(Boolean) }
  }
