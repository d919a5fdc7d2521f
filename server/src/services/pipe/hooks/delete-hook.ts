import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toHookResponse } from './hook-response.ts'
import { removeHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'
import { requireHook } from './require-hook.ts'

/** Its event records and queued deliveries are deleted with it. */
export const deleteHook = (
  deps: PipeDependencies,
  call: Call<typeof operations.deleteHook>,
): Promise<Deleted> =>
  call.commit(async (tx) => {
    const { hook, owner } = await requireHook(deps, tx, call)
    await removeHook(tx, hook.id)
    await recordHookChange(deps, tx, {
      operation: 'hooks.delete',
      action: 'delete_one',
      hook: toHookResponse(hook, owner),
      by: call,
    })
    return { id: hook.id }
  })
