import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { holdHook } from './hold-hook.ts'
import { toHookResponse } from './hook-response.ts'
import { removeHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'

/** Its event records and whatever is still on its way go with it. */
export const deleteHook =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.deleteHook>): Promise<Deleted> =>
    call.commit(async (tx) => {
      const { hook, owner } = await holdHook(deps, tx, call)
      await removeHook(tx, hook.id)
      await recordHookChange(deps, tx, {
        audited: 'hooks.delete',
        action: 'delete_one',
        hook: toHookResponse(hook, owner),
        by: call,
      })
      return { id: hook.id }
    })
