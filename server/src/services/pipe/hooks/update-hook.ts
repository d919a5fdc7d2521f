import { type Hook, type operations, type UpdateHook } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { holdHook } from './hold-hook.ts'
import { openHeaders, readHeaders, sealHeaders } from './hook-headers.ts'
import { readSecret } from './hook-input.ts'
import { assertHookMode, assertMayHear } from './hook-reach.ts'
import { toHookResponse } from './hook-response.ts'
import { readHookScopes } from './hook-scopes.ts'
import { assertTarget } from './hook-target.ts'
import { forgetFailures, saveHook, type StoredHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'
import { openHookSecret } from '../signatures/hook-secret.ts'
import { withSecret } from './rotate-hook-secret.ts'

export const updateHook =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.updateHook>): Promise<Hook> => {
    const { params, body, commit } = call
    if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
      throw new Problem('id_mismatch')
    return commit(async (tx) => {
      const { hook, owner } = await holdHook(deps, tx, call)
      const changed = changeHook(deps, call, hook)
      await saveHook(tx, changed)
      if (changed.status === 'enabled' && hook.status === 'disabled') await forgetFailures(tx, hook.id)
      const record = toHookResponse(changed, owner)
      await recordHookChange(deps, tx, {
        audited: 'hooks.update',
        action: 'update_one',
        hook: record,
        by: call,
        details: { changed: Object.keys(body).filter((name) => name !== 'id') },
      })
      return record
    })
  }

const changeHook = (
  { keystore, courier, clock }: PipeDependencies,
  call: Call<typeof operations.updateHook>,
  hook: StoredHook,
): StoredHook => {
  const { body } = call
  const mode = body.mode ?? hook.mode
  assertHookMode(call, mode)
  const listening = readHookScopes(body.scopes ?? hook.scopes, mode)
  if (body.scopes !== undefined) assertMayHear(call, listening)
  const connectionUrl = body.connectionUrl ?? hook.connectionUrl
  assertTarget(courier, { connectionUrl, modes: listening.modes })
  const nowMs = clock.now()
  const changed: StoredHook = {
    ...hook,
    name: body.name ?? hook.name,
    description: body.description ?? hook.description,
    contentType: body.contentType ?? hook.contentType,
    status: body.status ?? hook.status,
    enableSSL: body.enableSSL ?? hook.enableSSL,
    ordered: body.ordered ?? hook.ordered,
    connectionUrl,
    mode,
    scopes: listening.scopes,
    listens: listening.listens,
    ...(body.headers === undefined ? {} : changedHeaders(keystore, hook, body.headers)),
    updatedAt: new Date(nowMs),
  }
  if (body.secret === undefined) return changed
  const secret = readSecret(body.secret)
  return isItsOwn(keystore, hook, secret) ? changed : withSecret(keystore, changed, { secret, nowMs })
}

/** Whoever sends all of a hook to change a part of it sends the same secret again: that is no rotation. */
const isItsOwn = (keystore: Keystore, { id, sealedSecret }: StoredHook, given: Secret | undefined): boolean =>
  given !== undefined &&
  sealedSecret !== undefined &&
  openHookSecret(keystore, id, sealedSecret).reveal() === given.reveal()

const changedHeaders = (
  keystore: Keystore,
  hook: StoredHook,
  wanted: NonNullable<UpdateHook['headers']>,
): Pick<StoredHook, 'headerNames' | 'sealedHeaders'> => {
  const headers = readHeaders(wanted, openHeaders(keystore, hook.id, hook.sealedHeaders).reveal())
  return {
    headerNames: headers.map(({ name }) => name),
    sealedHeaders: sealHeaders(keystore, hook.id, new Secret(headers)),
  }
}
