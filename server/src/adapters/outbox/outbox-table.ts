import { sortedJson } from '../../lib/sorted-json.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'

/** Writes to the table `outbox`, which a relay empties. */
export const createOutbox = ({ clock }: { readonly clock: Clock }): Outbox => ({
  async write(tx, { owner, payload, mode, resource, action, aboutId }) {
    const now = clock.now()
    const id = uuidv7(now)
    await tx
      .insertInto('outbox')
      .values({
        id,
        ownerKind: owner.kind,
        ownerId: owner.id,
        mode,
        resource,
        action,
        payload: Buffer.from(sortedJson(payload), 'utf8'),
        occurredAt: new Date(now),
        aboutId,
      })
      .execute()
    return id
  },
})
