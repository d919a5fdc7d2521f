import { type HookWithSecret, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { encryptHookSecret, newHookSecret, readHookSecret } from '../signatures/hook-secret.ts'
import { encryptHeaders, readHeaders } from './hook-headers.ts'
import { assertHookMode, assertMayHear, defaultMode } from './hook-reach.ts'
import { toHookResponse } from './hook-response.ts'
import { readHookScopes } from './hook-scopes.ts'
import { assertTarget } from './hook-target.ts'
import { countHooks, insertHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'

export const createHook = async (
  deps: PipeDependencies,
  call: Call<typeof operations.createHook>,
): Promise<HookWithSecret> => {
  const { body, companyId, commit } = call
  const mode = body.mode ?? defaultMode(call)
  assertHookMode(call, mode)
  const { scopes, listens, modes, events } = readHookScopes(body.scopes, mode)
  assertMayHear(call, events)
  assertTarget(deps, { connectionUrl: body.connectionUrl, modes })
  const headers = readHeaders(body.headers ?? [], [])
  const secret = body.secret === undefined ? newHookSecret() : readHookSecret(body.secret)
  const now = new Date(deps.clock.now())
  const id = uuidv7(now.getTime())
  return commit(async (tx) => {
    const owner = await deps.users.lockCompany(tx, companyId)
    if (owner === undefined) throw new Problem('not_found')
    if ((await countHooks(tx, companyId)) >= limits.hooksPerCompany) {
      throw new Problem('hook_limit_reached', {
        reasons: [because('hook_limit', { most: limits.hooksPerCompany })],
      })
    }
    const hook = await insertHook(tx, {
      id,
      companyId,
      name: body.name,
      description: body.description,
      connectionUrl: body.connectionUrl,
      contentType: body.contentType ?? 'application/json',
      status: body.status ?? 'enabled',
      enableSsl: body.enableSSL ?? true,
      ordered: body.ordered ?? false,
      notifyEmail: body.notifyEmail || null,
      mode,
      scopes: JSON.stringify(scopes),
      listens: [...listens],
      headerNames: headers.map(({ name }) => name),
      encryptedHeaders: encryptHeaders(deps, id, new Secret(headers)),
      encryptedSecret: secret && encryptHookSecret(deps, id, secret),
      createdAt: now,
      updatedAt: now,
    })
    const response = toHookResponse(hook, owner)
    await recordHookChange(deps, tx, {
      operation: 'hooks.create',
      action: 'create_one',
      hook: response,
      by: call,
    })
    return { ...response, secret: secret?.reveal() ?? '' }
  })
}
