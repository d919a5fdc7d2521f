import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** Notified with nothing by whatever writes an event (migration 0015), and with `queued` below. */
export const outboxChannel = 'millseal_outbox'

const queued = 'queued'

/** A delivery or a mail is due that no new event stands behind: somebody wants it tried again. */
export const tellQueued = async (tx: Query): Promise<void> => {
  await sql`select pg_notify(${outboxChannel}, ${queued})`.execute(tx)
}

/** Whether an event is all that is new: then nothing of it is queued before it was dispatched. */
export const isOnlyAnEvent = (news: string | undefined): boolean => news === ''
