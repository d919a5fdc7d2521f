import { because } from '@millseal/contract/reasons'
import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { decisionsAbout, lockCompanyOf } from './companies.store.ts'
import { findMembers } from './members.store.ts'
import { removeCompany } from './remove-company.ts'

type Founding = { readonly vatId: string; readonly principal: UserPrincipal; readonly ip: string }

/**
 * Anybody can found a company with the VAT id of another: one that operators have only ever rejected gives it up to the
 * next who founds with it. Throws `company_exists` if the holder keeps it.
 */
export const freeVatId = async (
  deps: UserDependencies,
  tx: Transaction,
  { vatId, principal, ip }: Founding,
): Promise<void> => {
  const stored = await lockCompanyOf(tx, vatId)
  if (stored === undefined) return
  const decisions = await decisionsAbout(tx, stored.id)
  if (decisions.length === 0)
    throw new Problem('company_exists', { reasons: [because('vat_id_of_unreviewed')] })
  const isMember = (await findMembers(tx, [stored.id])).some(({ id }) => id === principal.id)
  if (isMember || decisions.includes('verified')) throw new Problem('company_exists')
  await removeCompany(deps, tx, { stored, principal, ip })
}
