import type { CompanyReference, Mode } from '@millseal/contract'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { assertHookMode } from './hook-reach.ts'
import { lockHook, type StoredHook } from './hooks.store.ts'

export type HookCall = {
  readonly params: { readonly id: string }
  readonly companyId: string
  readonly principal: Principal
  readonly assertRecordMode: (mode: Mode) => void
}

/** Locks the webhook until the transaction ends. */
export const requireHook = async (
  { users }: PipeDependencies,
  tx: Transaction,
  call: HookCall,
): Promise<{ hook: StoredHook; owner: CompanyReference }> => {
  const { params, companyId } = call
  const hook = await lockHook(tx, { id: params.id, companyId })
  const owner = await users.findCompany(tx, companyId)
  if (hook === undefined || owner === undefined) throw new Problem('not_found')
  assertHookMode(call, hook.mode)
  return { hook, owner }
}
