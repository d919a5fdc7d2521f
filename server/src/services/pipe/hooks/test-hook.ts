import type { EventRecord, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { sortedJson } from '../../../lib/sorted-json.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { admitDelivery } from '../quotas/daily-quota.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findRecord, insertTestEvent } from '../events/event-records.store.ts'
import { toEventResponses } from '../events/event-response.ts'
import { toHookResponse } from './hook-response.ts'
import { requireHook } from './require-hook.ts'

/** Sends an event that only this webhook gets; its payload is the webhook. */
export const testHook = (
  deps: PipeDependencies,
  call: Call<typeof operations.testHook>,
): Promise<EventRecord> =>
  call.commit(async (tx) => {
    const { hook, owner } = await requireHook(deps, tx, call)
    if (hook.status === 'disabled') throw new Problem('hook_disabled')
    const { companyId } = call
    await admitDelivery(deps, tx, hook.companyId)
    const nowMs = deps.clock.now()
    const id = uuidv7(nowMs)
    const record = {
      id,
      eventId: uuidv7(nowMs),
      hookId: hook.id,
      companyId,
      mode: hook.mode === 'live' ? 'live' : 'test',
      resource: 'hooks',
      action: 'test',
      payload: Buffer.from(sortedJson(toHookResponse(hook, owner))),
    } as const
    await insertTestEvent(tx, record, new Date(nowMs))
    await deps.audit.write(tx, {
      actor: principalName(call.principal),
      action: 'hooks.test',
      subject: `hook:${hook.id}`,
      companyId,
      ipAddress: call.client.ip,
    })
    const stored = await findRecord(tx, { id, companyId })
    const [event] = await toEventResponses(tx, stored === undefined ? [] : [stored])
    if (event === undefined) throw new Problem('not_found')
    return event
  })
