import { limits } from '@millseal/contract'
import { sortedJson } from '../../lib/sorted-json.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Transaction } from '../../ports/database/database.ts'
import type { Outbox, OutboxEvent } from '../../ports/outbox/outbox.ts'
import { causingSpan, eventAttributes, eventSpan } from '../../ports/tracer/known-spans.ts'
import type { Tracer } from '../../ports/tracer/tracer.ts'

/** Writes to the table `outbox`, which a relay empties. */
export const createOutbox = ({
  clock,
  tracer,
}: {
  readonly clock: Clock
  readonly tracer: Tracer
}): Outbox => {
  const insert = async (tx: Transaction, events: readonly OutboxEvent[]): Promise<readonly string[]> => {
    const now = clock.now()
    const startedAt = tracer.now()
    const rows = events.map(({ owner, payload, mode, resource, action, aboutId, aboutName }) => ({
      id: uuidv7(now),
      ownerKind: owner.kind,
      ownerId: owner.id,
      mode,
      resource,
      action,
      payload: Buffer.from(sortedJson(payload), 'utf8'),
      occurredAt: new Date(now),
      aboutId,
      aboutName: (aboutName ?? nameOf(payload))?.slice(0, limits.eventAbout.maxLength),
    }))
    if (rows.length > 0) await tx.insertInto('outbox').values(rows).execute()
    for (const row of rows) {
      const parent = causingSpan(row)
      tracer.add({
        name: 'write event',
        kind: 'producer',
        known: eventSpan(row, 'write'),
        parent,
        startedAt,
        attributes: eventAttributes(row),
      })
    }
    return rows.map(({ id }) => id)
  }
  return {
    async write(tx, event) {
      const [id = ''] = await insert(tx, [event])
      return id
    },
    async writeAll(tx, events) {
      await insert(tx, events)
    },
  }
}

/** Certificates have no name; all other records that people know have one. */
const nameOf = (payload: object): string | undefined =>
  'name' in payload && typeof payload.name === 'string' && payload.name !== '' ? payload.name : undefined
