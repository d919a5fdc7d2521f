import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { holdMailHook } from './hold-mailhook.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { removeMailHook } from './mailhooks.store.ts'
import { recordMailHookChange } from './record-mailhook-change.ts'

/** Its mails, and whatever is still to be sent, go with it. */
export const deleteMailHook =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.deleteMailHook>): Promise<Deleted> =>
    call.commit(async (tx) => {
      const { hook, owner } = await holdMailHook(deps, tx, call)
      await removeMailHook(tx, hook.id)
      await recordMailHookChange(deps, tx, {
        audited: 'mailhooks.delete',
        action: 'delete_one',
        hook: toMailHookResponse(hook, owner),
        mode: hook.mode,
        by: call,
      })
      return { id: hook.id }
    })
