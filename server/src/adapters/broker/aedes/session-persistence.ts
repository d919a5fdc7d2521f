import { Readable } from 'node:stream'
import type { Client } from 'aedes'
import type { Sessions } from './sessions.ts'

type Packet = { readonly messageId?: number; readonly brokerCounter?: number }

/**
 * What aedes asks of a persistence, cut down to what we leave to it: the subscriptions of a session that comes back,
 * and which message a number stands for. Queues are ours (`router.ts`, `outlet.ts`); there are no retained messages,
 * no wills, and nothing comes in.
 */
export const createSessionPersistence = (sessions: Sessions, unsubscribed: Unsubscribed) => ({
  async setup(): Promise<void> {},

  async subscriptionsByClient({ id }: Pick<Client, 'id'>) {
    return [...(sessions.find(id)?.filters ?? [])].map(([topic, qos]) => ({ topic, qos }))
  },
  async addSubscriptions(): Promise<void> {},
  async removeSubscriptions({ id }: Client, filters: readonly string[]): Promise<void> {
    await unsubscribed(id, filters)
  },
  async cleanSubscriptions(): Promise<void> {},

  async outgoingEnqueue(): Promise<void> {},
  async outgoingUpdate({ id }: Client, { messageId, brokerCounter }: Packet): Promise<void> {
    if (messageId !== undefined && brokerCounter !== undefined) {
      sessions.find(id)?.outlet?.numbered(messageId, brokerCounter)
    }
  },
  async outgoingClearMessageId({ id }: Client, { messageId }: Packet): Promise<void> {
    if (messageId !== undefined) sessions.find(id)?.outlet?.acknowledge(messageId)
  },
  outgoingStream: () => Readable.from([]),

  createRetainedStreamCombi: () => Readable.from([]),
  async cleanIncoming(): Promise<void> {},
  async delWill(): Promise<void> {},
  streamWill: () => Readable.from([]),
})

/** Resolves when it is durable. */
export type Unsubscribed = (key: string, filters: readonly string[]) => Promise<void>

/** In place of the emitter of aedes, which would keep a second index of all subscriptions: we route by owner. */
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
