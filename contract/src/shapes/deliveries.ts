import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { idOf, JsonObject, ModeValue, output, Reasons, stored, Timestamp } from './common.ts'

const ShownHeaders = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
})
export type ShownHeaders = Static<typeof ShownHeaders>

export const ShownRequest = output('ShownRequestDto', {
  url: Type.String(),
  headers: Type.Unsafe<Record<string, string>>({
    ...ShownHeaders,
    description: 'The values of your own headers and the signatures are masked',
  }),
})
export type ShownRequest = Static<typeof ShownRequest>

export const DeliveryAttempt = output('DeliveryAttemptDto', {
  startedAt: Timestamp,
  durationMs: Type.Integer({ minimum: 0 }),
  statusCode: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String(limits.deliveryError)),
  reasons: Reasons,
  request: Type.Optional(ShownRequest),
  answer: Type.Optional(
    Type.String({ description: 'The first bytes of the answer of the receiver, if requested' }),
  ),
  answerHeaders: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      ...ShownHeaders,
      description: 'Headers of the answer that help to find a fault, if requested',
    }),
  ),
})

/** Common fields of events sent to webhooks and of e-mails. */
export const delivery = {
  ...stored,
  action: Type.String(),
  resource: Type.String(),
  mode: Type.Optional(ModeValue),
  error: Type.Optional(JsonObject),
  delivered: Type.Boolean(),
  deliveryError: Type.Optional(Type.String(limits.deliveryError)),
  reasons: Reasons,
  nextAttemptAt: Type.Optional(Timestamp),
  attempts: Type.Optional(Type.Array(DeliveryAttempt, { description: 'Only if a single record is read' })),
}

export const deliveryFilter = {
  certificate: Type.Optional(idOf('Only those about this certificate')),
  delivered: Type.Optional(Type.Boolean()),
  resource: Type.Optional(Type.String({ maxLength: limits.scopes.nameLength })),
  action: Type.Optional(Type.String({ maxLength: limits.scopes.nameLength })),
}
