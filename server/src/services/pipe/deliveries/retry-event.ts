import type { EventRecord, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { admitDelivery } from '../quotas/daily-quota.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { lockHook } from '../hooks/hooks.store.ts'
import { findRecord, queueAgain } from '../events/event-records.store.ts'
import { toEventResponses } from '../events/event-response.ts'

/** Attempts the delivery now, whenever the next attempt was due; if that fails, the schedule starts again. */
export const retryEvent = async (
  deps: PipeDependencies,
  call: Call<typeof operations.retryEvent>,
): Promise<EventRecord> => {
  const { params, companyId, principal, client, assertRecordMode, commit } = call
  const { audit, clock } = deps
  const key = { id: params.id, companyId }
  return commit(async (tx) => {
    const record = await findRecord(tx, key)
    if (record === undefined) throw new Problem('not_found')
    assertRecordMode(record.mode)
    if (record.delivered || record.deliveryError === null) throw new Problem('delivery_not_failed')
    const hook = await lockHook(tx, { id: record.hookId, companyId })
    if (hook === undefined) throw new Problem('not_found')
    if (hook.status === 'disabled') throw new Problem('hook_disabled')
    await admitDelivery(deps, tx, hook.companyId)
    await queueAgain(tx, { recordId: record.id, now: new Date(clock.now()) })
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'events.retry',
      subject: `event:${record.id}`,
      companyId,
      ipAddress: client.ip,
    })
    const queued = await findRecord(tx, key)
    const [event] = await toEventResponses(tx, queued === undefined ? [] : [queued])
    if (event === undefined) throw new Problem('not_found')
    return event
  })
}
