import type { operations, RetriedEvents } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { admitSome } from '../quotas/daily-quota.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { countFailed, queueFailedAgain } from '../events/event-records.store.ts'
import { visibleMode } from './hook-reach.ts'
import { requireHook } from './require-hook.ts'

/** Attempts all failed deliveries of a webhook now; those that fail again start their schedule again. */
export const retryHook = async (
  deps: PipeDependencies,
  call: Call<typeof operations.retryHook>,
): Promise<RetriedEvents> => {
  const { body, companyId, principal, client, commit } = call
  const since = new Date(body.since)
  if (Number.isNaN(since.getTime()))
    throw new Problem('validation_failed', { reasons: [because('must_be_time', { place: '/since' })] })
  return commit(async (tx) => {
    const { hook } = await requireHook(deps, tx, call)
    if (hook.status === 'disabled') throw new Problem('hook_disabled')
    const now = new Date(deps.clock.now())
    const failed = { hookId: hook.id, mode: visibleMode(call), since }
    const wanted = await countFailed(tx, failed)
    const granted = wanted === 0 ? 0 : await admitSome(deps, tx, { companyId: hook.companyId, wanted })
    const count = await queueFailedAgain(tx, { ...failed, now }, granted)
    const refused = wanted - granted
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'hooks.retry',
      subject: `hook:${hook.id}`,
      companyId,
      ipAddress: client.ip,
      details: { since: since.toISOString(), count, refused: refused || undefined },
    })
    return { count, refused: refused || undefined }
  })
}
