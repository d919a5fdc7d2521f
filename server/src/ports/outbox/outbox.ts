import type { EventName, Mode, TopicOwner } from '@millseal/contract'
import type { Transaction } from '../database/database.ts'

export type OutboxEvent = EventName & {
  readonly owner: { readonly kind: TopicOwner; readonly id: string }
  readonly mode: Mode
  /** Stored as the bytes of its sorted JSON: every delivery and retry, on every channel, sends these bytes. */
  readonly payload: object
  /** The certificate that the event is about. */
  readonly aboutId?: string
  /** What people call the record that the event is about; if missing, the name in the payload. */
  readonly aboutName?: string | undefined
}

/**
 * Records events in the transaction of the change they report: the event exists exactly if the change does. Delivery
 * follows later, at least once.
 */
export interface Outbox {
  /** Resolves with the id of the event in every delivery. */
  write(tx: Transaction, event: OutboxEvent): Promise<string>
  writeAll(tx: Transaction, events: readonly OutboxEvent[]): Promise<void>
}
