import { type EventName, type EventPayload, events, type Mode } from '@millseal/contract'

/** An event of the service. `resource` and `action` decide the type of the payload. */
export type MillsealEvent = (typeof events)[number] extends infer E
  ? E extends { resource: infer R extends EventName['resource']; action: infer A extends EventName['action'] }
    ? {
        readonly resource: R
        readonly action: A
        readonly mode: Mode
        readonly owner: 'user' | 'company'
        readonly ownerId: string
        readonly payload: EventPayload<R, A>
      }
    : never
  : never

/** Reads a message of the broker. Undefined if this SDK does not know the event of the topic. */
export const readEvent = (topic: string, payload: string | Uint8Array): MillsealEvent | undefined => {
  const [owner, ownerId, mode, resource, action, ...rest] = topic.split('/')
  const isKnown = events.some((event) => event.resource === resource && event.action === action)
  if (!isKnown || rest.length > 0 || (owner !== 'user' && owner !== 'company')) return undefined
  if (mode !== 'test' && mode !== 'live') return undefined
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload)
  const read: unknown = JSON.parse(text)
  return { resource, action, mode, owner, ownerId, payload: read } as MillsealEvent
}
