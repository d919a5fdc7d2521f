import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { JsonObject, ModeValue, output, stored, Timestamp } from './common.ts'

export const DeliveryAttempt = output('DeliveryAttemptDto', {
  startedAt: Timestamp,
  durationMs: Type.Integer({ minimum: 0 }),
  statusCode: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String(limits.deliveryError)),
  answer: Type.Optional(
    Type.String({ description: 'The first bytes of what the receiver answered, when asked for' }),
  ),
})

/** What an event on its way to a hook and a mail on its way to people have in common. */
export const delivery = {
  ...stored,
  action: Type.String(),
  resource: Type.String(),
  mode: Type.Optional(ModeValue),
  error: Type.Optional(JsonObject),
  delivered: Type.Boolean(),
  deliveryError: Type.Optional(Type.String(limits.deliveryError)),
  nextAttemptAt: Type.Optional(Timestamp),
  attempts: Type.Optional(Type.Array(DeliveryAttempt, { description: 'When a single one is read' })),
}

export const deliveryFilter = {
  delivered: Type.Optional(Type.Boolean()),
  resource: Type.Optional(Type.String({ maxLength: limits.scopes.nameLength })),
  action: Type.Optional(Type.String({ maxLength: limits.scopes.nameLength })),
}
