import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId, idOf } from '../shapes/common.ts'
import { deliveryFilter } from '../shapes/deliveries.ts'
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
  summary: 'The events of the past month',
  description: 'One record per event and webhook that listens to it.',
  scope: [{ resource: 'events', action: 'read_many' }],
  query: Type.Object({ hook: Type.Optional(idOf('Only those of this webhook')), ...deliveryFilter }),
  answer: { kind: 'json', status: 200, schema: Type.Array(EventRecord) },
  list: true,
})

export const readEvent = operation({
  ...events,
  id: 'events.read',
  method: 'GET',
  path: '/events/{id}',
  summary: 'Read an event and every attempt to deliver it',
  scope: [{ resource: 'events', action: 'read_one' }],
  params: byId,
  query: Type.Object({
    answers: Type.Optional(
      Type.Boolean({ description: 'Whether attempts show the first bytes of what the receiver answered' }),
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
  summary: 'Deliver a failed event again',
  scope: [{ resource: 'events', action: 'retry_one' }],
  memberRole: 'operator',
  params: byId,
  answer: { kind: 'json', status: 200, schema: EventRecord },
  errors: ['delivery_not_failed', 'hook_disabled'],
})
