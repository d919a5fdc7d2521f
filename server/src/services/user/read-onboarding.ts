import type { Onboarding } from '@millseal/contract'
import { Problem } from '../../lib/problem.ts'
import type { Database } from '../../ports/database/database.ts'
import { findOnboarding } from './onboarding.store.ts'

/** What is left to do before live certificates. Wallets and identities have no room of their own in the house yet. */
export const readOnboarding =
  ({ database }: { readonly database: Database }) =>
  async (userId: string): Promise<Onboarding> => {
    const facts = await findOnboarding(database.query, userId)
    if (facts === undefined) throw new Problem('token_invalid')
    const steps = { ...facts, walletCreated: false, identityCreated: false }
    return { userId, steps, completed: Object.values(steps).every(Boolean) }
  }
