import { type Hook, limits, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call, type ReplyOf } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findRecordPage } from '../events/event-records.store.ts'
import { fittingRecords, toEventResponses } from '../events/event-response.ts'
import { createHook } from './create-hook.ts'
import { deleteHook } from './delete-hook.ts'
import { countFailedDeliveries } from './failed-deliveries.store.ts'
import { assertHookMode, visibleMode } from './hook-reach.ts'
import { toHookResponse } from './hook-response.ts'
import { findHook, findHookPage } from './hooks.store.ts'
import { rotateHookSecret } from './rotate-hook-secret.ts'
import { retryHook } from './retry-hook.ts'
import { testHook } from './test-hook.ts'
import { tryHook } from './try-hook.ts'
import { updateHook } from './update-hook.ts'

const embeddedEvents = 100

export const hookRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createHook, createHook),
    bind(operations.listHooks, listHooks),
    bind(operations.readHook, readHook),
    bind(operations.updateHook, updateHook),
    bind(operations.deleteHook, deleteHook),
    bind(operations.rotateHookSecret, rotateHookSecret),
    bind(operations.testHook, testHook),
    bind(operations.tryHook, tryHook),
    bind(operations.retryHook, retryHook),
  ]
}

const listHooks = async (
  { users, database: { query } }: PipeDependencies,
  call: Call<typeof operations.listHooks>,
): Promise<Hook[]> => {
  const { companyId } = call
  const owner = await users.findCompany(query, companyId)
  if (owner === undefined) throw new Problem('not_found')
  const filter = { companyId, mode: visibleMode(call) }
  const found = await listPage(
    call,
    (page) => findHookPage(query, filter, page),
    ({ id }) => id,
  )
  const failed = await countFailedDeliveries(query, {
    hookIds: found.map(({ id }) => id),
    mode: filter.mode,
    atMost: limits.countedFailures,
  })
  return found.map((hook) => ({
    ...toHookResponse(hook, owner),
    failedDeliveries: failed.get(hook.id) ?? 0,
  }))
}

const readHook = async (
  { users, database: { query } }: PipeDependencies,
  call: Call<typeof operations.readHook>,
): Promise<ReplyOf<typeof operations.readHook>> => {
  const { params, companyId } = call
  const [hook, owner] = await Promise.all([
    findHook(query, { id: params.id, companyId }),
    users.findCompany(query, companyId),
  ])
  if (hook === undefined || owner === undefined) throw new Problem('not_found')
  assertHookMode(call, hook.mode)
  const filter = { companyId, hookId: hook.id, mode: visibleMode(call) }
  const records = await findRecordPage(query, filter, { limit: embeddedEvents, after: undefined })
  const events = await toEventResponses(query, fittingRecords(records))
  return { ...toHookResponse(hook, owner), events }
}
