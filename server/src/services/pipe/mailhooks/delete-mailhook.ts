import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { removeMailHook } from './mailhooks.store.ts'
import { recordMailHookChange } from './record-mailhook-change.ts'
import { requireMailHook } from './require-mailhook.ts'

/** Its mails, sent or not, are deleted with it. */
export const deleteMailHook = (
  deps: PipeDependencies,
  call: Call<typeof operations.deleteMailHook>,
): Promise<Deleted> =>
  call.commit(async (tx) => {
    const { hook, owner } = await requireMailHook(deps, tx, call)
    await removeMailHook(tx, hook.id)
    await recordMailHookChange(deps, tx, {
      operation: 'mailhooks.delete',
      action: 'delete_one',
      hook: toMailHookResponse(hook, owner),
      mode: hook.mode,
      by: call,
    })
    return { id: hook.id }
  })
