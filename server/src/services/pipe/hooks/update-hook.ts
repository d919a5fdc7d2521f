import type { Hook, operations, UpdateHook } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { decryptHookSecret, readHookSecret } from '../signatures/hook-secret.ts'
import { decryptHeaders, encryptHeaders, readHeaders } from './hook-headers.ts'
import { assertHookMode, assertMayHear } from './hook-reach.ts'
import { toHookResponse } from './hook-response.ts'
import { parseScopes, readHookScopes } from './hook-scopes.ts'
import { assertTarget } from './hook-target.ts'
import { healthy, type HookChanges, saveHook, type StoredHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'
import { requireHook } from './require-hook.ts'
import { secretChanges } from './rotate-hook-secret.ts'

export const updateHook = async (
  deps: PipeDependencies,
  call: Call<typeof operations.updateHook>,
): Promise<Hook> => {
  const { params, body, commit } = call
  if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
    throw new Problem('id_mismatch')
  return commit(async (tx) => {
    const { hook, owner } = await requireHook(deps, tx, call)
    const changed = await saveHook(tx, hook.id, changesOf(deps, call, hook))
    const response = toHookResponse(changed, owner)
    await recordHookChange(deps, tx, {
      operation: 'hooks.update',
      action: 'update_one',
      hook: response,
      by: call,
      details: { changed: Object.keys(body).filter((name) => name !== 'id') },
    })
    return response
  })
}

const changesOf = (
  deps: PipeDependencies,
  call: Call<typeof operations.updateHook>,
  hook: StoredHook,
): HookChanges => {
  const { body } = call
  const mode = body.mode ?? hook.mode
  assertHookMode(call, mode)
  const { scopes, listens, modes, events } = readHookScopes(body.scopes ?? parseScopes(hook), mode)
  if (body.scopes !== undefined) assertMayHear(call, events)
  assertTarget(deps, { connectionUrl: body.connectionUrl ?? hook.connectionUrl, modes })
  const isEnabledAgain = body.status === 'enabled' && hook.status === 'disabled'
  return {
    name: body.name,
    description: body.description,
    contentType: body.contentType,
    status: body.status,
    enableSsl: body.enableSSL,
    ordered: body.ordered,
    notifyEmail: body.notifyEmail === '' ? null : body.notifyEmail,
    connectionUrl: body.connectionUrl,
    mode,
    scopes: JSON.stringify(scopes),
    listens: [...listens],
    ...headerChanges(deps, hook, body.headers),
    ...changedSecret(deps, hook, body.secret),
    ...(isEnabledAgain ? healthy : {}),
    updatedAt: new Date(deps.clock.now()),
  }
}

/** Clients that send the whole webhook to change a part of it send the same secret again: that is no rotation. */
const changedSecret = (deps: PipeDependencies, hook: StoredHook, given: string | undefined): HookChanges => {
  if (given === undefined) return {}
  const secret = readHookSecret(given)
  const current =
    hook.encryptedSecret === null ? undefined : decryptHookSecret(deps, hook.id, hook.encryptedSecret)
  const isSame = secret !== undefined && secret.reveal() === current?.reveal()
  return isSame ? {} : secretChanges(deps, hook, secret)
}

const headerChanges = (
  deps: PipeDependencies,
  hook: StoredHook,
  wanted: UpdateHook['headers'],
): HookChanges => {
  if (wanted === undefined) return {}
  const headers = readHeaders(wanted, decryptHeaders(deps, hook.id, hook.encryptedHeaders).reveal())
  return {
    headerNames: headers.map(({ name }) => name),
    encryptedHeaders: encryptHeaders(deps, hook.id, new Secret(headers)),
  }
}
