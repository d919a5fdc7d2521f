import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { hookContentTypes, modes, onOff } from '../vocabulary.ts'
import { Id, idOf, input, JsonObject, ModeValue, oneOf, output, repeatedId, stored } from './common.ts'
import { delivery } from './deliveries.ts'
import { CompanyReference } from './people.ts'

const ScopeName = Type.String({ minLength: 1, maxLength: limits.scopes.nameLength })

export const HookScope = input('HookScopeDto', {
  resource: ScopeName,
  actions: Type.Array(ScopeName, { minItems: 1, maxItems: limits.scopes.actions }),
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
    value: Type.Optional(Type.String({ ...headerValue, description: 'Left out: stays as it is' })),
  }),
  { maxItems: limits.hookHeaders.maxItems, description: 'Replaces all of them' },
)
const HookHeaderNames = Type.Array(output('HookHeaderNameDto', { name: HeaderName }), {
  description: 'Without their values: a value may be a credential',
})
const Secret = Type.String({
  ...limits.hookSecret,
  description: 'Keys the signature. Generated when left out; an empty one leaves the requests unsigned.',
})
const Description = Type.String(limits.description)
const ConnectionUrl = Type.String({
  ...limits.url,
  format: 'uri',
  description: 'HTTPS; a webhook that listens to test mode only may have HTTP',
})
const Ordered = {
  description:
    'Whether an event waits until the one before it has arrived or was given up; otherwise up to four are sent at once',
}

const optionalHookFields = {
  name: Type.Optional(Type.String(limits.hookName)),
  description: Type.Optional(Description),
  contentType: Type.Optional(oneOf(hookContentTypes, { default: 'application/json' })),
  status: Type.Optional(oneOf(onOff, { default: 'enabled' })),
  enableSSL: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the TLS certificate is checked' }),
  ),
  ordered: Type.Optional(Type.Boolean({ default: false, ...Ordered })),
  mode: Type.Optional(
    oneOf(hookModes, { description: 'Left out: all, or the mode of the token where it has one' }),
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

/** Without defaults: what is left out of an update stays as it is. */
export const UpdateHook = input('UpdateHookDto', {
  ...repeatedId,
  name: Type.Optional(Type.String(limits.hookName)),
  description: Type.Optional(Description),
  contentType: Type.Optional(oneOf(hookContentTypes)),
  status: Type.Optional(oneOf(onOff)),
  enableSSL: Type.Optional(Type.Boolean()),
  ordered: Type.Optional(Type.Boolean(Ordered)),
  mode: Type.Optional(oneOf(hookModes)),
  headers: Type.Optional(ChangedHookHeaders),
  secret: Type.Optional(Secret),
  connectionUrl: Type.Optional(ConnectionUrl),
  scopes: Type.Optional(HookScopes),
})
export type UpdateHook = Static<typeof UpdateHook>

export const EventRecord = output('EventDto', {
  ...delivery,
  eventId: idOf('Of the event itself, the same for all who are told of it: the header `webhook-id`'),
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
  mode: oneOf(hookModes),
  headers: HookHeaderNames,
  scopes: HookScopes,
  owner: CompanyReference,
}

export const Hook = output('HookDto', {
  ...hook,
  events: Type.Optional(
    Type.Array(EventRecord, { description: 'Of the past month, when a single hook is read' }),
  ),
})
export type Hook = Static<typeof Hook>

export const HookWithSecret = output('HookWithSecretDto', { ...hook, secret: Secret })
export type HookWithSecret = Static<typeof HookWithSecret>
