import type { MailHook, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { readMailHookScopes } from './mailhook-scopes.ts'
import { saveMailHook } from './mailhooks.store.ts'
import { recordMailHookChange } from './record-mailhook-change.ts'
import { requireMailHook } from './require-mailhook.ts'

export const updateMailHook = async (
  deps: PipeDependencies,
  call: Call<typeof operations.updateMailHook>,
): Promise<MailHook> => {
  const { params, body, commit } = call
  if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
    throw new Problem('id_mismatch')
  return commit(async (tx) => {
    const { hook, owner } = await requireMailHook(deps, tx, call)
    const changed = await saveMailHook(tx, hook.id, {
      description: body.description,
      status: body.status,
      ...(body.scopes === undefined ? {} : readMailHookScopes(body.scopes, call)),
      updatedAt: new Date(deps.clock.now()),
    })
    const response = toMailHookResponse(changed, owner)
    await recordMailHookChange(deps, tx, {
      operation: 'mailhooks.update',
      action: 'update_one',
      hook: response,
      mode: changed.mode,
      by: call,
      details: { changed: Object.keys(body).filter((name) => name !== 'id') },
    })
    return response
  })
}
