import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findRecordPage } from '../events/event-records.store.ts'
import { fittingRecords, toEventResponses } from '../events/event-response.ts'
import { createHook } from './create-hook.ts'
import { deleteHook } from './delete-hook.ts'
import { assertHookMode, seenMode } from './hook-reach.ts'
import { toHookResponse } from './hook-response.ts'
import { findHook, findHookPage } from './hooks.store.ts'
import { rotateHookSecret } from './rotate-hook-secret.ts'
import { testHook } from './test-hook.ts'
import { updateHook } from './update-hook.ts'

const embeddedEvents = 100

export const hookRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const { query } = deps.database
  return [
    bind(operations.createHook, createHook(deps)),
    bind(operations.listHooks, async (call) => {
      const { companyId } = call
      const owner = await deps.users.findCompany(query, companyId)
      if (owner === undefined) throw new Problem('not_found')
      const found = await listPage(
        call,
        (page) => findHookPage(query, { companyId, mode: seenMode(call) }, page),
        ({ id }) => id,
      )
      return found.map((hook) => toHookResponse(hook, owner))
    }),
    bind(operations.readHook, async (call) => {
      const { params, companyId } = call
      const [hook, owner] = await Promise.all([
        findHook(query, { id: params.id, companyId }),
        deps.users.findCompany(query, companyId),
      ])
      if (hook === undefined || owner === undefined) throw new Problem('not_found')
      assertHookMode(call, hook.mode)
      const page = { limit: embeddedEvents, after: undefined }
      const records = await findRecordPage(query, { companyId, hookId: hook.id, mode: seenMode(call) }, page)
      return {
        ...toHookResponse(hook, owner),
        events: await toEventResponses(query, fittingRecords(records)),
      }
    }),
    bind(operations.updateHook, updateHook(deps)),
    bind(operations.deleteHook, deleteHook(deps)),
    bind(operations.rotateHookSecret, rotateHookSecret(deps)),
    bind(operations.testHook, testHook(deps)),
  ]
}
