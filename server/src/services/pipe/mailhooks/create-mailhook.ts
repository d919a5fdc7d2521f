import { limits, type MailHook, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { readMailHookScopes } from './mailhook-scopes.ts'
import { countMailHooks, insertMailHook } from './mailhooks.store.ts'
import { recordMailHookChange } from './record-mailhook-change.ts'

export const createMailHook = async (
  deps: PipeDependencies,
  call: Call<typeof operations.createMailHook>,
): Promise<MailHook> => {
  const { body, companyId, commit } = call
  const listening = readMailHookScopes(body.scopes, call)
  const now = new Date(deps.clock.now())
  return commit(async (tx) => {
    const owner = await deps.users.lockCompany(tx, companyId)
    if (owner === undefined) throw new Problem('not_found')
    if ((await countMailHooks(tx, companyId)) >= limits.mailHooksPerCompany) {
      throw new Problem('mail_hook_limit_reached', {
        reasons: [because('mail_hook_limit', { most: limits.mailHooksPerCompany })],
      })
    }
    const hook = await insertMailHook(tx, {
      id: uuidv7(now.getTime()),
      companyId,
      description: body.description,
      status: body.status ?? 'enabled',
      ...listening,
      createdAt: now,
      updatedAt: now,
    })
    const response = toMailHookResponse(hook, owner)
    await recordMailHookChange(deps, tx, {
      operation: 'mailhooks.create',
      action: 'create_one',
      hook: response,
      mode: hook.mode,
      by: call,
    })
    return response
  })
}
