import type { CompanyReference, Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { lockApplication, type StoredApplication } from './applications.store.ts'

/** Locks the application of a call until the transaction ends. Throws if the caller may not act in its mode. */
export const requireApplication = async (
  { users }: AuthDependencies,
  tx: Transaction,
  {
    params,
    companyId,
    assertRecordMode,
  }: {
    readonly params: { readonly id: string }
    readonly companyId: string
    readonly assertRecordMode: (mode: Mode) => void
  },
): Promise<{ readonly application: StoredApplication; readonly owner: CompanyReference }> => {
  const owner = await users.findCompany(tx, companyId)
  const application = await lockApplication(tx, { id: params.id, companyId })
  if (application === undefined || owner === undefined) throw new Problem('not_found')
  assertRecordMode(application.mode)
  return { application, owner }
}
