import { type EventName, topic } from '@millseal/contract'
import type { BrokerMessage, BrokerPublisher } from '../../../ports/broker/broker.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findUnpublished, markPublished, tryToLock, type UnpublishedEntry } from './outbox.store.ts'

const batchSize = 200
const batchBytes = 16 * 1_024 * 1_024
const publishDeadlineMs = 10_000
/** Keeps the pass short: an event that comes during it waits for its end. */
const passMs = 500
const waitAfterFailureMs = 2_000

/**
 * Returns the pass of a loop that publishes events to the broker, those of one owner one after the other. If one cannot
 * be published, the later events of its owner wait; those of other owners do not.
 */
export const createPublisher = ({ database, clock, log }: PipeDependencies, broker: BrokerPublisher) => {
  const waitUntil = new Map<string, number>()
  let afterOwner: string | undefined

  const publishInOrder = async (entries: readonly UnpublishedEntry[]): Promise<string[]> => {
    const published: string[] = []
    const until = performance.now() + passMs
    for (const entry of entries) {
      if (performance.now() > until) break
      try {
        await broker.publish(toMessage(entry), AbortSignal.timeout(publishDeadlineMs))
        published.push(entry.id)
      } catch (error) {
        waitUntil.set(entry.ownerId, performance.now() + waitAfterFailureMs)
        log.warn({ err: error, eventId: entry.id }, 'an event could not be published yet')
        break
      }
    }
    return published
  }

  return async (): Promise<boolean> => {
    for (const [owner, until] of waitUntil) if (until < performance.now()) waitUntil.delete(owner)
    return database.transaction(async (tx) => {
      if (!(await tryToLock(tx, 'publish'))) return false
      const entries = await findUnpublished(tx, {
        limit: batchSize,
        bytes: batchBytes,
        waiting: [...waitUntil.keys()],
        afterOwner,
      })
      const byOwner = Map.groupBy(entries, ({ ownerId }) => ownerId)
      const leftSomeOut = afterOwner !== undefined
      afterOwner = byOwner.size === batchSize ? [...byOwner.keys()].toSorted().at(-1) : undefined
      const published = (await Promise.all([...byOwner.values()].map(publishInOrder))).flat()
      if (published.length > 0) await markPublished(tx, published, new Date(clock.now()))
      const bytes = entries.reduce((sum, { payload }) => sum + payload.length, 0)
      const isFull = entries.length === batchSize || bytes >= batchBytes
      if (leftSomeOut || afterOwner !== undefined) return true
      return published.length > 0 && (isFull || published.length < entries.length)
    })
  }
}

const toMessage = ({ id, ownerKind, ownerId, mode, payload, ...entry }: UnpublishedEntry): BrokerMessage => {
  // Only declared events are written to the outbox.
  const name = { resource: entry.resource, action: entry.action } as EventName
  return { topic: topic({ owner: ownerKind, id: ownerId, mode, ...name }), payload, messageId: id }
}
