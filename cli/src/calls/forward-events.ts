import { randomBytes } from 'node:crypto'
import { type EventSequence, limits, webhookHeaders } from '@millseal/contract'
import { type Connection, signWebhook } from '@millseal/sdk'
import type { Terminal } from '../frame/terminal.ts'
import { UsageError } from '../frame/usage-error.ts'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

type Forwarding = {
  readonly client: Connection
  readonly target: string
  readonly secret: string
  /** A position, or `newest`. */
  readonly after: string
  readonly json: boolean
  readonly terminal: Terminal
}

/** Until Ctrl-C. A receiver that refuses an event does not stop those that follow, and nothing is sent twice. */
export const forwardEvents = async (given: Forwarding): Promise<void> => {
  const { client, target, secret, terminal } = given
  if (!/^https?:\/\//.test(target) || !URL.canParse(target))
    throw new UsageError('--forward-to must be a URL that starts with http:// or https://')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  let after = given.after
  try {
    // The first answer says where the sequence is; until it is there, nothing would be heard.
    after = String((await client.followEvents({ query: { after, limit: 1 }, signal: stop.signal })).position)
    if (given.after !== 'newest') after = given.after
    terminal.note(`Sending events to ${target}, signed with ${secret}. Press Ctrl-C to stop`)
    for (;;) {
      const query = { after, wait: limits.eventWaitSeconds }
      const { events, position } = await client.followEvents({ query, signal: stop.signal })
      for (const event of events) await forward(event, given, stop.signal)
      after = String(position)
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
}

const forward = async (
  event: EventSequence['events'][number],
  { target, secret, json, terminal }: Forwarding,
  signal: AbortSignal,
): Promise<void> => {
  const { eventId, resource, action, mode, position } = event
  const body = JSON.stringify(event.payload)
  const headers = {
    ...(await signWebhook({ secret, id: eventId, body })),
    'content-type': 'application/json',
    [webhookHeaders.resource]: resource,
    [webhookHeaders.action]: action,
    [webhookHeaders.mode]: mode,
  }
  const answered = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal }).then(
    async (response) => {
      await response.body?.cancel()
      return String(response.status)
    },
    (error: Error) => reasonOf(error),
  )
  signal.throwIfAborted()
  if (json) terminal.printJson({ position, eventId, resource, action, mode, answered })
  else terminal.print(`${answered}  ${resource}/${action}  ${position}\n`)
}

const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : message
