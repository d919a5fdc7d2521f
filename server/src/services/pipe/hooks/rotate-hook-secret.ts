import type { HookWithSecret, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { newHookSecret } from '../signatures/hook-secret.ts'
import { holdHook } from './hold-hook.ts'
import { sealed } from './hook-input.ts'
import { toHookResponse } from './hook-response.ts'
import { saveHook, type StoredHook } from './hooks.store.ts'
import { recordHookChange } from './record-hook-change.ts'

export const rotateHookSecret =
  (deps: PipeDependencies) =>
  async (call: Call<typeof operations.rotateHookSecret>): Promise<HookWithSecret> => {
    const secret = newHookSecret()
    return call.commit(async (tx) => {
      const { hook, owner } = await holdHook(deps, tx, call)
      const nowMs = deps.clock.now()
      const rotated = withSecret(deps.keystore, { ...hook, updatedAt: new Date(nowMs) }, { secret, nowMs })
      await saveHook(tx, rotated)
      const record = toHookResponse(rotated, owner)
      await recordHookChange(deps, tx, {
        audited: 'hooks.rotate_secret',
        action: 'update_one',
        hook: record,
        by: call,
      })
      return { ...record, secret: secret.reveal() }
    })
  }

const overlapMs = 24 * 60 * 60 * 1_000

/** The one so far stays good for a day, unless requests are to be unsigned from now on. */
export const withSecret = (
  keystore: Keystore,
  hook: StoredHook,
  { secret, nowMs }: { readonly secret: Secret | undefined; readonly nowMs: number },
): StoredHook => {
  const previous = secret === undefined ? undefined : hook.sealedSecret
  return {
    ...hook,
    sealedSecret: sealed(keystore, hook.id, secret),
    sealedPreviousSecret: previous,
    previousSecretUntil: previous === undefined ? undefined : new Date(nowMs + overlapMs),
  }
}
