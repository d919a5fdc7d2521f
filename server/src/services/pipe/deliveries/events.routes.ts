import { type EventRecord, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { linkToNext, listPage, tellTotal } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { visibleMode } from '../hooks/hook-reach.ts'
import { topicResource } from '../hooks/listenable-events.ts'
import { countRecords, findAttempts, findRecord, findRecordPage } from '../events/event-records.store.ts'
import { fittingRecords, toEventResponses, toExchangeResponse } from '../events/event-response.ts'
import { retryEvent } from './retry-event.ts'

export const eventRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listEvents, listEvents),
    bind(operations.readEvent, readEvent),
    bind(operations.retryEvent, retryEvent),
  ]
}

const listEvents = async (
  { database }: PipeDependencies,
  call: Call<typeof operations.listEvents>,
): Promise<EventRecord[]> => {
  const { hook: hookId, delivered, resource, action, certificate: aboutId, text } = call.query
  const filter = {
    companyId: call.companyId,
    mode: visibleMode(call),
    hookId,
    delivered,
    resource: resource && topicResource(resource),
    action,
    aboutId,
    text,
  }
  const found = await listPage(
    call,
    (page) => findRecordPage(database.query, filter, page),
    ({ id }) => id,
  )
  await tellTotal(call, (atMost) => countRecords(database.query, filter, atMost))
  const fitting = fittingRecords(found)
  const last = fitting.at(-1)
  if (last !== undefined && fitting.length < found.length) {
    call.header('link', linkToNext({ ...call.query, after: last.id }))
  }
  return toEventResponses(database.query, fitting)
}

const readEvent = async (
  { database: { query } }: PipeDependencies,
  { params, query: { answers = false }, companyId, assertRecordMode }: Call<typeof operations.readEvent>,
): Promise<EventRecord> => {
  const record = await findRecord(query, { id: params.id, companyId })
  if (record === undefined) throw new Problem('not_found')
  assertRecordMode(record.mode)
  const [[event], attempts] = await Promise.all([
    toEventResponses(query, [record]),
    findAttempts(query, record.id),
  ])
  if (event === undefined) throw new Problem('not_found')
  return { ...event, attempts: attempts.map((attempt) => toExchangeResponse(attempt, answers)) }
}
