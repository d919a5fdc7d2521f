import type { operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { lockCompany } from './companies.store.ts'
import { removeCompany } from './remove-company.ts'

export const deleteCompany = async (
  deps: UserDependencies,
  { companyId, principal, client, commit }: Call<typeof operations.deleteCompany>,
): Promise<string> => {
  // Applications cannot sign in again; their scope alone decides.
  if (principal.kind === 'user') assertRecentSignIn(principal, deps.clock)
  return commit(async (tx) => {
    const stored = await lockCompany(tx, companyId)
    if (stored === undefined) throw new Problem('not_found')
    await removeCompany(deps, tx, { stored, principal, ip: client.ip })
    return companyId
  })
}
