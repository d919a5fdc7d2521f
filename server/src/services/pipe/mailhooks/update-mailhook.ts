import type { MailHook, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { assertHookMode, assertMayHear } from '../hooks/hook-reach.ts'
import { holdMailHook } from './hold-mailhook.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { readMailHookScopes } from './mailhook-scopes.ts'
import { saveMailHook, type StoredMailHook } from './mailhooks.store.ts'
import { recordMailHookChange } from './record-mailhook-change.ts'

export const updateMailHook =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.updateMailHook>): Promise<MailHook> => {
    const { params, body, commit } = call
    if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
      throw new Problem('id_mismatch')
    return commit(async (tx) => {
      const { hook, owner } = await holdMailHook(deps, tx, call)
      const changed = changeMailHook(deps, call, hook)
      await saveMailHook(tx, changed)
      const record = toMailHookResponse(changed, owner)
      await recordMailHookChange(deps, tx, {
        audited: 'mailhooks.update',
        action: 'update_one',
        hook: record,
        mode: changed.mode,
        by: call,
        details: { changed: Object.keys(body).filter((name) => name !== 'id') },
      })
      return record
    })
  }

const changeMailHook = (
  { clock }: PipeDependencies,
  call: Call<typeof operations.updateMailHook>,
  hook: StoredMailHook,
): StoredMailHook => {
  const { body } = call
  const changed = {
    ...hook,
    description: body.description ?? hook.description,
    status: body.status ?? hook.status,
    updatedAt: new Date(clock.now()),
  }
  if (body.scopes === undefined) return changed
  const listening = readMailHookScopes(body.scopes, call)
  assertHookMode(call, listening.mode)
  assertMayHear(call, listening)
  return { ...changed, mode: listening.mode, scopes: listening.scopes, listens: listening.listens }
}
