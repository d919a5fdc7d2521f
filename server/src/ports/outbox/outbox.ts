import type { EventName, Mode, TopicOwner } from '@millseal/contract'
import { sortedJson } from '../../lib/sorted-json.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { Clock } from '../clock/clock.ts'
import type { Transaction } from '../database/database.ts'

export type OutboxEvent = EventName & {
  readonly owner: { readonly kind: TopicOwner; readonly id: string }
  readonly mode: Mode
  /** Stored as the bytes of its sorted JSON: every delivery, on every channel and at every retry, carries these. */
  readonly payload: object
}

/**
 * Tells the world of a change, in the transaction that makes it: the event exists exactly when the change does. Delivery
 * is at least once and follows later.
 */
export interface Outbox {
  /** Resolves with the id under which the event is delivered. */
  write(tx: Transaction, event: OutboxEvent): Promise<string>
}

type OutboxTables = {
  outbox: {
    id: string
    owner_kind: TopicOwner
    owner_id: string
    mode: Mode
    resource: string
    action: string
    payload: Uint8Array
    occurred_at: Date
  }
}

export const createOutbox = ({ clock }: { readonly clock: Clock }): Outbox => ({
  async write(tx, { owner, mode, resource, action, payload }) {
    const now = clock.now()
    const id = uuidv7(now)
    await tx
      .withTables<OutboxTables>()
      .insertInto('outbox')
      .values({
        id,
        owner_kind: owner.kind,
        owner_id: owner.id,
        mode,
        resource,
        action,
        payload: Buffer.from(sortedJson(payload), 'utf8'),
        occurred_at: new Date(now),
      })
      .execute()
    return id
  },
})
