import { createHash } from 'node:crypto'
import { limits } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { JsonError, readStorableJson } from '@millseal/proof'
import { oneLine } from '../../../lib/mail-layout.ts'
import { malformedJson } from '../../../lib/malformed-json.ts'
import { Problem } from '../../../lib/problem.ts'
import { mailIdIn, messageIdIn } from '../mails/message-id.ts'

/** What the mail provider reports on the delivery of a mail. */
export type Report = {
  /** The same if the provider repeats the report. */
  readonly id: string
  /** The first part of the Message-ID. */
  readonly messageId: string
  /** Of a mail of a mail hook. */
  readonly mailId: string | undefined
  readonly address: string | undefined
  readonly at: Date
  readonly delivered: boolean
  /** Undefined if it says nothing about the address. */
  readonly outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | undefined
  readonly reason: string | undefined
  readonly status: string | undefined
}

const outcomes: ReadonlyMap<string, boolean> = new Map([
  ['delivered', true],
  ['bounce', false],
  ['dropped', false],
])

/** Reads the events that decide whether one of our mails was delivered, and ignores all others. */
export const readReports = (body: Uint8Array, domain: string): readonly Report[] =>
  listIn(body).flatMap((event) => {
    const delivered = textOf(event, 'event', (name) => outcomes.get(name))
    const messageId = textOf(event, 'smtp-id', (id) => messageIdIn(id, domain))
    const seconds = event['timestamp']
    if (delivered === undefined || messageId === undefined || !isTime(seconds)) return []
    return [
      {
        id: idOf(event),
        messageId,
        mailId: mailIdIn(messageId),
        address: textOf(event, 'email', addressIn),
        at: new Date(seconds * 1_000),
        delivered,
        outcome: outcomeOf(event),
        reason: textOf(event, 'reason', (text) => oneLine(text, limits.deliveryError.maxLength)),
        status: statusOf(event),
      },
    ]
  })

const addressIn = (text: string): string | undefined => {
  const address = text.trim().toLowerCase()
  return address.includes('@') && address.length <= limits.email.maxLength ? address : undefined
}

const statusOf = (event: ProviderEvent): string | undefined =>
  textOf(event, 'status', (text) => (/^\d\.\d{1,3}\.\d{1,3}$/.test(text) ? text : undefined))

/**
 * Only a status about the address itself (RFC 3463: 5.1.x, or 5.2.1 for a disabled mailbox) is a hard bounce. A full
 * mailbox and a blocked sender pass. The provider drops mails because of its own list, which says nothing new.
 */
const outcomeOf = (event: ProviderEvent): Report['outcome'] => {
  const name = event['event']
  if (name === 'delivered') return 'delivered'
  if (name !== 'bounce') return undefined
  const status = statusOf(event)
  if (event['type'] === 'blocked') return 'soft_bounce'
  return status === undefined || /^5\.(1\.\d+|2\.1)$/.test(status) ? 'hard_bounce' : 'soft_bounce'
}

type ProviderEvent = Readonly<Record<string, unknown>>

const listIn = (body: Uint8Array): readonly ProviderEvent[] => {
  const read = parse(body)
  if (!Array.isArray(read))
    throw new Problem('validation_failed', { reasons: [because('must_be_list_of_events', { place: '/' })] })
  return read.filter((event): event is ProviderEvent => typeof event === 'object' && event !== null)
}

const parse = (body: Uint8Array): unknown => {
  try {
    return readStorableJson(body, { maxDepth: limits.body.depth })
  } catch (error) {
    if (error instanceof JsonError) throw malformedJson(error)
    throw error
  }
}

const textOf = <T>(
  event: ProviderEvent,
  name: string,
  read: (text: string) => T | undefined,
): T | undefined => {
  const value = Object.hasOwn(event, name) ? event[name] : undefined
  return typeof value === 'string' ? read(value) : undefined
}

const latestSecond = 253_402_300_799

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= latestSecond

/** Older accounts send events without an id: the content then identifies the event. */
const idOf = (event: ProviderEvent): string => {
  const given = textOf(event, 'sg_event_id', (id) => id)
  return createHash('sha256')
    .update(given ?? JSON.stringify(event))
    .digest('base64url')
}
