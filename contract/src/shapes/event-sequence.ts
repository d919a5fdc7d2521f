import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id, JsonObject, ModeValue, output, Timestamp } from './common.ts'

const Position = Type.Integer({ minimum: 0, description: 'Its place in the sequence' })

export const sequenceQuery = {
  after: Type.Optional(
    Type.String({
      maxLength: 15,
      pattern: '^(newest|[0-9]{1,15})$',
      description:
        'The position of the last event that you have, or `newest` for what happens from now on. If missing: all events of the past month',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.page.max, default: limits.page.default })),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.eventWaitSeconds,
      description: 'How many seconds the answer waits if there is no event yet',
    }),
  ),
}

export const SequencedEvent = output('SequencedEventDto', {
  position: Position,
  eventId: Type.String({
    ...Id,
    description: 'The same as in the header `webhook-id` and at every other delivery',
  }),
  occurredAt: Timestamp,
  resource: Type.String(),
  action: Type.String(),
  mode: ModeValue,
  about: Type.Optional(
    Type.String({ ...limits.eventAbout, description: 'The number or name of what the event is about' }),
  ),
  payload: JsonObject,
})
export type SequencedEvent = Static<typeof SequencedEvent>

export const EventSequence = output('EventSequenceDto', {
  events: Type.Array(SequencedEvent),
  position: Type.Integer({
    minimum: 0,
    description: 'Ask for what follows with this as `after`, also if there are no events here',
  }),
})
export type EventSequence = Static<typeof EventSequence>
