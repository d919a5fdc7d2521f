import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, idOf } from '../shapes/common.ts'
import { deliveryFilter } from '../shapes/deliveries.ts'
import { EventSequence, sequenceQuery } from '../shapes/event-sequence.ts'
import { EventRecord } from '../shapes/hooks.ts'

const events = {
  service: 'pipe-service',
  variant: 'current',
  access: 'bearer',
  company: 'required',
  mode: 'record',
} as const

export const listEvents = operation({
  ...events,
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List the events of the past month',
  description: `Newest first. The answer has one record for each event and webhook. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  scope: [{ resource: 'events', action: 'read_many' }],
  query: Type.Object({
    hook: Type.Optional(idOf('Only those of this webhook')),
    text: Type.Optional(
      Type.String({
        ...limits.searchText,
        description:
          'The id of an event (`webhook-id`), or words or beginnings of words, in any order, all of which occur in `about`. Case does not matter',
      }),
    ),
    ...deliveryFilter,
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(EventRecord) },
  list: true,
})

const sequence = {
  ...events,
  method: 'GET',
  action: { resource: 'events', action: 'read_many' },
  query: Type.Object(sequenceQuery),
} as const

export const followEvents = operation({
  ...sequence,
  id: 'events.follow',
  path: '/events/sequence',
  summary: 'Read the events of the company in their sequence',
  description:
    'Oldest first, with or without webhooks. Each event has a position, which grows; none is added before one that was read. Ask for the next events with the `position` of the answer as `after`. The token of an application reads the events that its scopes cover, in its mode; a member all events, those in live mode as in the rest of the API.',
  answer: { kind: 'json', status: 200, schema: EventSequence },
})

export const streamEvents = operation({
  ...sequence,
  id: 'events.stream',
  path: '/events/stream',
  summary: 'Follow the events of the company as server-sent events',
  description:
    'The sequence of `/events/sequence` for clients of `text/event-stream`. The id of each event is its position. An answer ends after the events that there are, or after the time in `wait` (20 s if it is missing); the client then connects again and sends the last id in `Last-Event-ID`, which counts more than `after`.',
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 15,
        pattern: '^[0-9]*$',
        description: 'The position of the last event that you have',
      }),
    ),
  }),
  answer: { kind: 'content', status: 200, types: ['text/event-stream'] },
})

export const readEvent = operation({
  ...events,
  id: 'events.read',
  method: 'GET',
  path: '/events/{id}',
  summary: 'Read an event and its delivery attempts',
  scope: [{ resource: 'events', action: 'read_one' }],
  params: byId,
  query: Type.Object({
    answers: Type.Optional(
      Type.Boolean({ description: 'Include the first bytes of the answers of the receiver' }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: EventRecord },
})

export const retryEvent = operation({
  ...events,
  id: 'events.retry',
  method: 'POST',
  alsoMethods: ['PATCH'],
  path: '/events/{id}/retry',
  summary: 'Retry the delivery of an event',
  scope: [{ resource: 'events', action: 'retry_one' }],
  memberRole: 'operator',
  params: byId,
  answer: { kind: 'json', status: 200, schema: EventRecord },
  errors: ['delivery_not_failed', 'hook_disabled', 'delivery_limit_reached'],
})
