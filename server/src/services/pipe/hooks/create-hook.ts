import type { HookWithSecret, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { newHookSecret } from '../signatures/hook-secret.ts'
import { readHeaders, sealHeaders } from './hook-headers.ts'
import { readSecret, sealed } from './hook-input.ts'
import { assertHookMode, assertMayHear, defaultMode } from './hook-reach.ts'
import { toHookResponse } from './hook-response.ts'
import { readHookScopes } from './hook-scopes.ts'
import { assertTarget } from './hook-target.ts'
import { insertHook, type StoredHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'

export const createHook =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.createHook>): Promise<HookWithSecret> => {
    const { body, companyId, commit } = call
    const mode = body.mode ?? defaultMode(call)
    assertHookMode(call, mode)
    const listening = readHookScopes(body.scopes, mode)
    assertMayHear(call, listening)
    assertTarget(deps.courier, { connectionUrl: body.connectionUrl, modes: listening.modes })
    const headers = readHeaders(body.headers ?? [], [])
    const secret = body.secret === undefined ? newHookSecret() : readSecret(body.secret)
    const now = deps.clock.now()
    const id = uuidv7(now)
    const hook: StoredHook = {
      id,
      companyId,
      name: body.name,
      description: body.description,
      connectionUrl: body.connectionUrl,
      contentType: body.contentType ?? 'application/json',
      status: body.status ?? 'enabled',
      enableSSL: body.enableSSL ?? true,
      ordered: body.ordered ?? false,
      mode,
      scopes: listening.scopes,
      listens: listening.listens,
      headerNames: headers.map(({ name }) => name),
      sealedHeaders: sealHeaders(deps.keystore, id, new Secret(headers)),
      sealedSecret: sealed(deps.keystore, id, secret),
      sealedPreviousSecret: undefined,
      previousSecretUntil: undefined,
      createdAt: new Date(now),
      updatedAt: new Date(now),
    }
    return commit(async (tx) => {
      const owner = await deps.users.findCompany(tx, companyId)
      if (owner === undefined) throw new Problem('not_found')
      await insertHook(tx, hook)
      const record = toHookResponse(hook, owner)
      await recordHookChange(deps, tx, {
        audited: 'hooks.create',
        action: 'create_one',
        hook: record,
        by: call,
      })
      return { ...record, secret: secret?.reveal() ?? '' }
    })
  }
