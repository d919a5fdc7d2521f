import { Readable } from 'node:stream'
import type { Client } from 'aedes'
import type { Sessions } from './sessions.ts'

/**
 * The persistence of aedes, reduced to what aedes does itself: it restores the subscriptions of a session. We manage the
 * queues and send what is in them (`router.ts`, `client-sender.ts`). There are no retained messages, no wills and no incoming
 * messages.
 */
export const createSessionPersistence = (sessions: Sessions, unsubscribed: Unsubscribed) => ({
  async setup(): Promise<void> {},

  async subscriptionsByClient({ id }: Client) {
    return [...(sessions.find(id)?.filters ?? [])].map(([topic, qos]) => ({ topic, qos }))
  },
  async addSubscriptions(): Promise<void> {},
  async removeSubscriptions({ id }: Client, filters: readonly string[]): Promise<void> {
    await unsubscribed(id, filters)
  },
  async cleanSubscriptions(): Promise<void> {},

  /** A client that answers with PUBREC, which belongs to quality 2. */
  async outgoingUpdate(): Promise<void> {},
  async outgoingClearMessageId(
    { id }: Client,
    { messageId }: { readonly messageId?: number },
  ): Promise<void> {
    if (messageId !== undefined) sessions.find(id)?.sender?.acknowledge(messageId)
  },
  outgoingStream: () => Readable.from([]),

  createRetainedStreamCombi: () => Readable.from([]),
  async cleanIncoming(): Promise<void> {},
  async delWill(): Promise<void> {},
  streamWill: () => Readable.from([]),
})

/** Resolves when the change is durable. */
export type Unsubscribed = (key: string, filters: readonly string[]) => Promise<void>

/** Replaces the emitter of aedes, which would keep a second index of all subscriptions. We route by owner. */
export const noEmitter = {
  on: (_topic: string, _notify: unknown, done?: () => void): void => {
    if (done !== undefined) setImmediate(done)
  },
  removeListener: (_topic: string, _notify: unknown, done?: () => void): void => {
    if (done !== undefined) setImmediate(done)
  },
  emit: (_packet: unknown, done?: () => void): void => {
    if (done !== undefined) setImmediate(done)
  },
  close: (done: () => void): void => void setImmediate(done),
}
