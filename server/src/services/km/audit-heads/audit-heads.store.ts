import type { Insertable, Selectable } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { AuditHeads } from '../../../ports/database/tables.ts'

export type RecordedHead = Selectable<AuditHeads>

/** Has no effect if the head is stored. */
export const insertHead = async (query: Query, head: Insertable<AuditHeads>): Promise<void> => {
  await query
    .insertInto('auditHeads')
    .values(head)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** In the order of the chain. */
export const findHeads = (query: Query): Promise<RecordedHead[]> =>
  query.selectFrom('auditHeads').selectAll().orderBy('position').execute()
