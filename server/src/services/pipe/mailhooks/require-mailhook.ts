import type { CompanyReference } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { assertHookMode } from '../hooks/hook-reach.ts'
import type { HookCall } from '../hooks/require-hook.ts'
import { lockMailHook, type StoredMailHook } from './mailhooks.store.ts'

/** Locks the mail hook until the transaction ends. */
export const requireMailHook = async (
  { users }: PipeDependencies,
  tx: Transaction,
  call: HookCall,
): Promise<{ hook: StoredMailHook; owner: CompanyReference }> => {
  const { params, companyId } = call
  const hook = await lockMailHook(tx, { id: params.id, companyId })
  const owner = await users.findCompany(tx, companyId)
  if (hook === undefined || owner === undefined) throw new Problem('not_found')
  assertHookMode(call, hook.mode)
  return { hook, owner }
}
