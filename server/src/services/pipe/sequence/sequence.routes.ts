import { type EventSequence, limits, modes, operations, type SequencedEvent } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import { startDeadline } from '../../../lib/deadline.ts'
import { Problem } from '../../../lib/problem.ts'
import { machineHears, memberHears } from '../../../ports/broker/topic-rights.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { News } from './news.ts'
import { type Part, readSequence } from './read-sequence.ts'
import { findNewestPosition, type PlacedEvent } from './sequence.store.ts'

type Following = PipeDependencies & { readonly news: News }
type Follow = Call<typeof operations.followEvents>
type Stream = Call<typeof operations.streamEvents>

export const sequenceRoutes = (deps: Following): readonly Binding[] => {
  const bind = bindTo(deps)
  return [bind(operations.followEvents, followEvents), bind(operations.streamEvents, streamEvents)]
}

const followEvents = async (deps: Following, call: Follow): Promise<EventSequence> => {
  const { events, position } = await follow(deps, call, call.query)
  return { events: events.map(toSequencedEvent), position }
}

/** Clients of server-sent events connect again by themselves, after this time. */
const connectAgainMs = 250

const streamEvents = async (deps: Following, call: Stream): Promise<Content> => {
  const { after = '0', wait = limits.eventWaitSeconds, ...query } = call.query
  const start = lastEventId(call) ?? after
  const { events, position } = await follow(deps, call, { ...query, after: start, wait })
  // An id without data is kept by the client too: it asks for what follows, also after `newest`.
  const blocks = [`retry: ${connectAgainMs}`, ...events.map(toBlock), `id: ${position}`]
  return { type: 'text/event-stream', bytes: `${blocks.join('\n\n')}\n\n` }
}

const positionPattern = '^[0-9]{1,15}$'

const lastEventId = ({ sentHeaders }: Stream): string | undefined => {
  const sent = sentHeaders['last-event-id']
  if (sent === undefined || sent === '') return undefined
  if (new RegExp(positionPattern).test(sent)) return sent
  throw new Problem('validation_failed', {
    reasons: [because('must_match_pattern', { pattern: positionPattern, place: 'header Last-Event-ID' })],
  })
}

/** Answers as soon as there is an event. */
const follow = async (
  { database: { query }, news }: Following,
  { companyId, principal, mayActIn, signal }: Follow | Stream,
  { after: start = '0', limit = limits.page.default, wait = 0 }: Follow['query'],
): Promise<Part> => {
  const hears =
    principal.kind === 'user' ? memberHears(companyId, modes.filter(mayActIn)) : machineHears(principal)
  const stretch = {
    companyId,
    heard: hears.map((topic) => topic.split('/').slice(2).join('/')),
    after: start === 'newest' ? await findNewestPosition(query, companyId) : Number(start),
    limit,
  }
  const over = Promise.withResolvers<void>()
  let isOver = wait === 0
  void Promise.race([over.promise, news.over]).then(() => (isOver = true))
  using _deadline = startDeadline(wait * 1_000, over.resolve)
  signal().addEventListener('abort', () => over.resolve(), { once: true })
  for (;;) {
    const next = isOver ? undefined : news.next(companyId)
    const part = await readSequence(query, stretch)
    if (part.events.length > 0 || isOver || next === undefined) return part
    await Promise.race([next, over.promise, news.over])
  }
}

const toSequencedEvent = ({ payload, ...event }: PlacedEvent): SequencedEvent => ({
  ...describe(event),
  payload: JSON.parse(textOf(payload)) as Record<string, unknown>,
})

/** The payload as it was written: numbers keep their digits. */
const toBlock = ({ payload, ...event }: PlacedEvent): string => {
  const data = `${JSON.stringify(describe(event)).slice(0, -1)},"payload":${textOf(payload)}}`
  return `id: ${event.position}\n${data.replaceAll(/^/gm, 'data: ')}`
}

const describe = ({ id, occurredAt, aboutName, ...event }: Omit<PlacedEvent, 'payload'>) => ({
  position: event.position,
  eventId: id,
  occurredAt: occurredAt.toISOString(),
  resource: event.resource,
  action: event.action,
  mode: event.mode,
  about: aboutName ?? undefined,
})

const textOf = (payload: Uint8Array): string => Buffer.from(payload).toString('utf8')
