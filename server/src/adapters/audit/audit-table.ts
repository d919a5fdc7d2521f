import { type Selectable, sql } from 'kysely'
import { uuidv7, uuidv7Bound } from '../../lib/uuid.ts'
import type { Audit, AuditEntry, AuditFilter, AuditPage, StoredAuditEntry } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import { type Query } from '../../ports/database/database.ts'
import type { AuditLog } from '../../ports/database/tables.ts'

/** Writes to the table `audit_log`, whose triggers reject changes and deletions. */
export const createAudit = ({ clock }: { readonly clock: Clock }): Audit => {
  const insert = async (query: Query, entries: readonly AuditEntry[]): Promise<void> => {
    const now = clock.now()
    const rows = entries.map(({ actor, action, subject, companyId, ipAddress, details = {} }) => ({
      id: uuidv7(now),
      at: new Date(now),
      actor,
      action,
      subject,
      companyId,
      ipAddress,
      details: JSON.stringify(details),
    }))
    await query.insertInto('auditLog').values(rows).execute()
  }
  return { write: (tx, ...entries) => insert(tx, entries), writeAlone: insert, list, count }
}

/** Times are compared with ids, which grow with the time, so that every filter reads in the order of an index. */
const list = async (
  query: Query,
  filter: AuditFilter,
  { after, limit }: AuditPage,
): Promise<StoredAuditEntry[]> => {
  const rows = await matching(query, filter)
    .selectAll()
    .$if(after !== undefined, (found) => found.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

const count = async (query: Query, filter: AuditFilter, atMost: number): Promise<number> => {
  const { counted } = await query
    .selectFrom(matching(query, filter).select('id').limit(atMost).as('entries'))
    .select(sql<number>`count(*)::int`.as('counted'))
    .executeTakeFirstOrThrow()
  return counted
}

const matching = (query: Query, { actor, action, exceptAction, subject, companyId, from, to }: AuditFilter) =>
  query
    .selectFrom('auditLog')
    .where((of) =>
      of.and([
        of.and({ actor, action, subject, companyId }),
        ...(exceptAction === undefined ? [] : [of('action', '!=', exceptAction)]),
        ...(from === undefined ? [] : [of('id', '>=', uuidv7Bound(from.getTime()))]),
        ...(to === undefined ? [] : [of('id', '<', uuidv7Bound(to.getTime()))]),
      ]),
    )

const toEntry = ({ companyId, ipAddress, details, ...entry }: Selectable<AuditLog>): StoredAuditEntry => ({
  ...entry,
  companyId: companyId ?? undefined,
  ipAddress: ipAddress ?? undefined,
  details: JSON.parse(details) as object,
})
