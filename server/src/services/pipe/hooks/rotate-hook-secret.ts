import type { HookWithSecret, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { encryptHookSecret, newHookSecret } from '../signatures/hook-secret.ts'
import { toHookResponse } from './hook-response.ts'
import { type HookChanges, saveHook, type StoredHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'
import { requireHook } from './require-hook.ts'

export const rotateHookSecret = (
  deps: PipeDependencies,
  call: Call<typeof operations.rotateHookSecret>,
): Promise<HookWithSecret> => {
  const secret = newHookSecret()
  return call.commit(async (tx) => {
    const { hook, owner } = await requireHook(deps, tx, call)
    const updatedAt = new Date(deps.clock.now())
    const rotated = await saveHook(tx, hook.id, { ...secretChanges(deps, hook, secret), updatedAt })
    const response = toHookResponse(rotated, owner)
    await recordHookChange(deps, tx, {
      operation: 'hooks.rotate_secret',
      action: 'update_one',
      hook: response,
      by: call,
    })
    return { ...response, secret: secret.reveal() }
  })
}

const overlapMs = 24 * 60 * 60 * 1_000

/** The previous secret stays valid for a day, unless requests are unsigned from now on. */
export const secretChanges = (
  deps: PipeDependencies,
  hook: StoredHook,
  secret: Secret | undefined,
): HookChanges => {
  const previous = secret === undefined ? null : hook.encryptedSecret
  return {
    encryptedSecret: secret === undefined ? null : encryptHookSecret(deps, hook.id, secret),
    encryptedPreviousSecret: previous,
    previousSecretUntil: previous === null ? null : new Date(deps.clock.now() + overlapMs),
  }
}
