import { type EventName, topic } from '@millseal/contract'
import { type BrokerMessage, type BrokerPublisher, BrokerUnavailable } from '../../../ports/broker/broker.ts'
import { eventAttributes, eventSpan } from '../../../ports/tracer/known-spans.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findUnpublished, markPublished, tryToLock, type UnpublishedEntry } from '../events/outbox.store.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

const batchSize = 200
const batchBytes = 16 * 1_024 * 1_024
const publishDeadlineMs = 10_000
const waitAfterFailureMs = 2_000

/**
 * Returns the pass of a loop that publishes events to the broker, those of one owner together and in their order. If they
 * cannot be published, the later events of their owner wait; those of other owners do not. The next time half as many are
 * tried, so that one that is always refused stops only those after it.
 */
export const createPublisher = (
  { database, clock, log, tracer }: PipeDependencies,
  broker: BrokerPublisher,
) => {
  const refused = new Map<string, { readonly until: number; readonly atOnce: number }>()
  let afterOwner: string | undefined

  const publishFirst = async (
    ownerId: string,
    entries: readonly UnpublishedEntry[],
  ): Promise<readonly string[]> => {
    const before = refused.get(ownerId)
    const tried = entries.slice(0, before?.atOnce)
    const eventIds = tried.map(({ id }) => id)
    const startedAt = tracer.now()
    try {
      await broker.publish(tried.map(toMessage), deadlineSignal(publishDeadlineMs))
      for (const entry of tried) tracer.add({ ...spanOf(entry), startedAt })
      const next = tried.length * 2
      if (before !== undefined && next < batchSize) refused.set(ownerId, { ...before, atOnce: next })
      else refused.delete(ownerId)
      return eventIds
    } catch (error) {
      const until = clock.steady() + waitAfterFailureMs
      if (!(error instanceof BrokerUnavailable))
        refused.set(ownerId, { until, atOnce: Math.ceil(tried.length / 2) })
      log.warn({ err: error, eventIds }, 'events could not be published yet')
      return []
    }
  }

  return async (): Promise<boolean> => {
    const now = clock.steady()
    const waiting = [...refused].flatMap(([owner, { until }]) => (until > now ? [owner] : []))
    return database.transaction(async (tx) => {
      if (!(await tryToLock(tx, 'publish'))) return false
      const entries = await findUnpublished(tx, {
        limit: batchSize,
        bytes: batchBytes,
        waiting,
        afterOwner,
      })
      const byOwner = Map.groupBy(entries, ({ ownerId }) => ownerId)
      const leftSomeOut = afterOwner !== undefined
      afterOwner = byOwner.size === batchSize ? [...byOwner.keys()].toSorted().at(-1) : undefined
      const attempts = [...byOwner].map(([ownerId, own]) => publishFirst(ownerId, own))
      const published = (await Promise.all(attempts)).flat()
      if (published.length > 0) await markPublished(tx, published, new Date(clock.now()))
      const bytes = entries.reduce((sum, { payload }) => sum + payload.length, 0)
      const isFull = entries.length === batchSize || bytes >= batchBytes
      if (leftSomeOut || afterOwner !== undefined) return true
      return published.length > 0 && (isFull || published.length < entries.length)
    })
  }
}

const spanOf = (entry: UnpublishedEntry) =>
  ({
    name: 'publish event',
    kind: 'producer',
    parent: eventSpan(entry, 'write'),
    attributes: eventAttributes(entry),
  }) as const

const toMessage = ({ id, ownerKind, ownerId, mode, payload, ...entry }: UnpublishedEntry): BrokerMessage => {
  // Only declared events are written to the outbox.
  const name = { resource: entry.resource, action: entry.action } as EventName
  return { topic: topic({ owner: ownerKind, id: ownerId, mode, ...name }), payload, messageId: id }
}
