import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { hookContentTypes, type Mode, modes, onOff } from '../vocabulary.ts'
import { Id, idOf, input, JsonObject, ModeValue, oneOf, output, repeatedId, stored } from './common.ts'
import { delivery, DeliveryAttempt } from './deliveries.ts'
import { CompanyReference } from './people.ts'

const scopeName = { minLength: 1, maxLength: limits.scopes.nameLength }

export const HookScope = input('HookScopeDto', {
  resource: Type.String({ ...scopeName, examples: ['certificates'] }),
  actions: Type.Array(Type.String(scopeName), {
    minItems: 1,
    maxItems: limits.scopes.actions,
    examples: [['notarize_one', 'receive_one']],
  }),
  mode: Type.Optional(ModeValue),
})
export const HookScopes = Type.Array(HookScope, { minItems: 1, maxItems: limits.hookScopes.maxItems })

export const hookModes = [...modes, 'all'] as const

const HeaderName = Type.String({
  minLength: 1,
  maxLength: limits.hookHeaders.nameLength,
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
})
const headerValue = { maxLength: limits.hookHeaders.valueLength, pattern: '^[\\t\\x20-\\x7e]*$' }

const HookHeaders = Type.Array(
  input('HookHeaderDto', { name: HeaderName, value: Type.String(headerValue) }),
  { maxItems: limits.hookHeaders.maxItems },
)
const ChangedHookHeaders = Type.Array(
  input('ChangedHookHeaderDto', {
    name: HeaderName,
    value: Type.Optional(
      Type.String({ ...headerValue, description: 'If missing, the value does not change' }),
    ),
  }),
  { maxItems: limits.hookHeaders.maxItems, description: 'Replaces all headers' },
)
const HookHeaderNames = Type.Array(output('HookHeaderNameDto', { name: HeaderName }), {
  description: 'Without values, because a value can be a credential',
})
const Secret = Type.String({
  ...limits.hookSecret,
  description: 'The key of the signature. Generated if missing. If it is empty, requests are not signed.',
})
const Description = Type.String(limits.description)
const ConnectionUrl = Type.String({
  ...limits.url,
  format: 'uri',
  description: 'An HTTPS address. HTTP is allowed in test mode only.',
})
const Ordered = {
  description:
    'If true, an event waits until the previous one was delivered or has failed. If false, up to four events are sent at once.',
}

const NotifyEmail = Type.String({
  maxLength: limits.email.maxLength,
  pattern: '^([^@\\s,;<>]+@[^@\\s,;<>]+)?$',
  description:
    'An address that gets the notices about this webhook besides the admins: failing for a day, disabled. Empty: only the admins get them',
})

const optionalHookFields = {
  name: Type.Optional(Type.String(limits.hookName)),
  description: Type.Optional(Description),
  contentType: Type.Optional(oneOf(hookContentTypes, { default: 'application/json' })),
  status: Type.Optional(oneOf(onOff, { default: 'enabled' })),
  enableSSL: Type.Optional(Type.Boolean({ default: true, description: 'Verify the TLS certificate' })),
  ordered: Type.Optional(Type.Boolean({ default: false, ...Ordered })),
  notifyEmail: Type.Optional(NotifyEmail),
  mode: Type.Optional(
    oneOf(hookModes, { description: 'Default: the mode of the token, or all if the token has none' }),
  ),
  headers: Type.Optional(HookHeaders),
  secret: Type.Optional(Secret),
}

export const CreateHook = input('CreateHookDto', {
  ...optionalHookFields,
  connectionUrl: ConnectionUrl,
  scopes: HookScopes,
})
export type CreateHook = Static<typeof CreateHook>

/** No defaults: missing fields do not change. */
export const UpdateHook = input('UpdateHookDto', {
  ...repeatedId,
  name: Type.Optional(Type.String(limits.hookName)),
  description: Type.Optional(Description),
  contentType: Type.Optional(oneOf(hookContentTypes)),
  status: Type.Optional(oneOf(onOff)),
  enableSSL: Type.Optional(Type.Boolean()),
  ordered: Type.Optional(Type.Boolean(Ordered)),
  notifyEmail: Type.Optional(NotifyEmail),
  mode: Type.Optional(oneOf(hookModes)),
  headers: Type.Optional(ChangedHookHeaders),
  secret: Type.Optional(Secret),
  connectionUrl: Type.Optional(ConnectionUrl),
  scopes: Type.Optional(HookScopes),
})
export type UpdateHook = Static<typeof UpdateHook>

export const EventRecord = output('EventDto', {
  ...delivery,
  eventId: idOf('The id of the event, the same for all webhooks: the header `webhook-id`'),
  about: Type.Optional(
    Type.String({
      ...limits.eventAbout,
      description:
        'What the event is about: the number of a certificate, the DID of a revoked key, or the name of another record',
    }),
  ),
  payload: JsonObject,
  hook: output('HookReferenceDto', { id: Id, connectionUrl: Type.String() }),
})
export type EventRecord = Static<typeof EventRecord>

const hook = {
  ...stored,
  name: Type.Optional(Type.String()),
  description: Type.Optional(Description),
  connectionUrl: ConnectionUrl,
  contentType: oneOf(hookContentTypes),
  status: oneOf(onOff),
  enableSSL: Type.Boolean(),
  ordered: Type.Boolean(Ordered),
  notifyEmail: Type.Optional(NotifyEmail),
  mode: oneOf(hookModes),
  headers: HookHeaderNames,
  scopes: HookScopes,
  owner: CompanyReference,
}

export const Hook = output('HookDto', {
  ...hook,
  events: Type.Optional(
    Type.Array(EventRecord, {
      description: 'The events of the past month, only if a single webhook is read',
    }),
  ),
  failedDeliveries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.countedFailures,
      description: `Events of the past month whose delivery failed and that have not arrived since, at most ${limits.countedFailures}. Only if webhooks are listed`,
    }),
  ),
})
export type Hook = Static<typeof Hook>

export const HookWithSecret = output('HookWithSecretDto', { ...hook, secret: Secret })
export type HookWithSecret = Static<typeof HookWithSecret>

export const TryHook = input('TryHookDto', {
  connectionUrl: ConnectionUrl,
  contentType: optionalHookFields.contentType,
  enableSSL: optionalHookFields.enableSSL,
  headers: optionalHookFields.headers,
  mode: Type.Optional(
    Type.Unsafe<Mode>({ ...ModeValue, description: 'Default: that of the token, or test if it has none' }),
  ),
  secret: Type.Optional(
    Type.String({
      ...limits.hookSecret,
      description: 'The key of the signature. Without it the request is not signed.',
    }),
  ),
})
export type TryHook = Static<typeof TryHook>

export const HookTrial = output('HookTrialDto', {
  ...DeliveryAttempt.properties,
  eventId: idOf('The header `webhook-id`'),
  delivered: Type.Boolean(),
  payload: Type.String({ description: 'The event, as it was sent' }),
})
export type HookTrial = Static<typeof HookTrial>

export const RetryHook = input('RetryHookDto', {
  since: Type.String({
    format: 'date-time',
    ...limits.timestamp,
    description: 'Events of this time or later whose delivery failed',
  }),
})
export type RetryHook = Static<typeof RetryHook>

export const RetriedEvents = output('RetriedEventsDto', {
  count: Type.Integer({ minimum: 0 }),
  refused: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'How many failed ones are not sent again, because the company has no deliveries left today. Missing if there are none',
    }),
  ),
})
export type RetriedEvents = Static<typeof RetriedEvents>
