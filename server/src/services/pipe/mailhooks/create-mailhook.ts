import type { MailHook, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { assertHookMode, assertMayHear } from '../hooks/hook-reach.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { readMailHookScopes } from './mailhook-scopes.ts'
import { insertMailHook, type StoredMailHook } from './mailhooks.store.ts'
import { recordMailHookChange } from './record-mailhook-change.ts'

export const createMailHook =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.createMailHook>): Promise<MailHook> => {
    const { body, companyId, commit } = call
    const listening = readMailHookScopes(body.scopes, call)
    assertHookMode(call, listening.mode)
    assertMayHear(call, listening)
    const now = deps.clock.now()
    const hook: StoredMailHook = {
      id: uuidv7(now),
      companyId,
      description: body.description,
      status: body.status ?? 'enabled',
      mode: listening.mode,
      scopes: listening.scopes,
      listens: listening.listens,
      createdAt: new Date(now),
      updatedAt: new Date(now),
    }
    return commit(async (tx) => {
      const owner = await deps.users.findCompany(tx, companyId)
      if (owner === undefined) throw new Problem('not_found')
      await insertMailHook(tx, hook)
      const record = toMailHookResponse(hook, owner)
      await recordMailHookChange(deps, tx, {
        audited: 'mailhooks.create',
        action: 'create_one',
        hook: record,
        mode: hook.mode,
        by: call,
      })
      return record
    })
  }
