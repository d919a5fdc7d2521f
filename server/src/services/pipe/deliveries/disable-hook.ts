import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toHookResponse } from '../hooks/hook-response.ts'
import { findAnyHook, saveHook } from '../hooks/hooks.store.ts'
import { recordHookChange } from '../hooks/record-hook-change.ts'
import { hookNotice } from './hook-notice.ts'

/** The service disables a webhook by itself; queued deliveries wait until somebody enables it again. */
export const disableHook = async (
  deps: PipeDependencies,
  tx: Transaction,
  {
    hookId,
    reason,
    now,
  }: { readonly hookId: string; readonly reason: 'gone' | 'failing'; readonly now: Date },
): Promise<void> => {
  if ((await findAnyHook(tx, hookId)) === undefined) return
  const disabled = await saveHook(tx, hookId, { status: 'disabled', updatedAt: now })
  const owner = await deps.users.findCompany(tx, disabled.companyId)
  if (owner === undefined) return
  await recordHookChange(deps, tx, {
    operation: 'hooks.disable',
    action: 'update_one',
    hook: toHookResponse(disabled, owner),
    by: undefined,
    details: { reason },
  })
  await deps.jobs.enqueue(tx, hookNotice, { hookId, notice: `disabled_${reason}` })
}
