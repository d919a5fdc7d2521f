import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { linkToNext, listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { seenMode } from '../hooks/hook-reach.ts'
import { topicResource } from '../hooks/listenable-events.ts'
import { findAttempts, findRecord, findRecordPage } from './event-records.store.ts'
import { fittingRecords, toAttemptResponse, toEventResponses } from './event-response.ts'
import { retryEvent } from './retry-event.ts'

export const eventRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const { query } = deps.database
  return [
    bind(operations.listEvents, async (call) => {
      const { companyId, query: asked, header } = call
      const filter = {
        companyId,
        mode: seenMode(call),
        hookId: asked.hook,
        delivered: asked.delivered,
        resource: asked.resource === undefined ? undefined : topicResource(asked.resource),
        action: asked.action,
      }
      const found = await listPage(
        call,
        (page) => findRecordPage(query, filter, page),
        ({ id }) => id,
      )
      const fitting = fittingRecords(found)
      const last = fitting.at(-1)
      if (last !== undefined && fitting.length < found.length) {
        header('link', linkToNext({ ...asked, after: last.id }))
      }
      return toEventResponses(query, fitting)
    }),
    bind(operations.readEvent, async ({ params, query: asked, companyId, assertRecordMode }) => {
      const record = await findRecord(query, { id: params.id, companyId })
      if (record === undefined) throw new Problem('not_found')
      assertRecordMode(record.mode)
      const [[event], attempts] = await Promise.all([
        toEventResponses(query, [record]),
        findAttempts(query, record.id),
      ])
      if (event === undefined) throw new Problem('not_found')
      const withAnswers = asked.answers === true
      return { ...event, attempts: attempts.map((attempt) => toAttemptResponse(attempt, withAnswers)) }
    }),
    bind(operations.retryEvent, retryEvent(deps)),
  ]
}
