import { type EventName, topic } from '@millseal/contract'
import type { BrokerPublisher } from '../../../ports/broker/broker.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findUnpublished, markPublished, tryToHold, type UnpublishedEntry } from './outbox.store.ts'

const batchSize = 200
const batchBytes = 16 * 1_024 * 1_024
const publishDeadlineMs = 10_000
/** A transaction that is open longer is in danger: what is left waits for the next. */
const passMs = 15_000
const waitAfterFailureMs = 2_000

type Publishing = Pick<PipeDependencies, 'database' | 'clock' | 'log'> & {
  readonly broker: BrokerPublisher
}

/**
 * Hands events to the broker, those of one owner one after the other. Where one cannot be handed over, the later ones of
 * its owner wait for it; everybody else goes on.
 */
export const publishEvents = ({ database, clock, log, broker }: Publishing) => {
  const waiting = new Map<string, number>()

  const publishInOrder = async (entries: readonly UnpublishedEntry[]): Promise<string[]> => {
    const published: string[] = []
    const until = performance.now() + passMs
    for (const entry of entries) {
      if (performance.now() > until) break
      try {
        await broker.publish(toMessage(entry), AbortSignal.timeout(publishDeadlineMs))
        published.push(entry.id)
      } catch (error) {
        waiting.set(entry.ownerId, performance.now() + waitAfterFailureMs)
        log.warn({ err: error, eventId: entry.id }, 'an event could not be published yet')
        break
      }
    }
    return published
  }

  return async (): Promise<boolean> => {
    for (const [owner, until] of waiting) if (until < performance.now()) waiting.delete(owner)
    return database.transaction(async (tx) => {
      if (!(await tryToHold(tx, 'publish'))) return false
      const asked = { limit: batchSize, bytes: batchBytes, waiting: [...waiting.keys()] }
      const entries = await findUnpublished(tx, asked)
      const byOwner = Map.groupBy(entries, ({ ownerId }) => ownerId)
      const published = (await Promise.all([...byOwner.values()].map(publishInOrder))).flat()
      if (published.length > 0) await markPublished(tx, published, new Date(clock.now()))
      const bytes = entries.reduce((sum, { payload }) => sum + payload.length, 0)
      const isFull = entries.length === batchSize || bytes >= batchBytes
      return published.length > 0 && (isFull || published.length < entries.length)
    })
  }
}

const toMessage = (entry: UnpublishedEntry) => {
  // The outbox takes names of events only.
  const name = { resource: entry.resource, action: entry.action } as EventName
  return {
    topic: topic({ owner: entry.ownerKind, id: entry.ownerId, mode: entry.mode, ...name }),
    payload: entry.payload,
    messageId: entry.id,
  }
}
