import { uuidv7 } from '../../lib/uuid.ts'
import type { Audit, AuditEntry } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import { type Query } from '../../ports/database/database.ts'

/** Writes to the table `audit_log`, whose triggers reject changes and deletions. */
export const createAudit = ({ clock }: { readonly clock: Clock }): Audit => {
  const insert = async (query: Query, entry: AuditEntry): Promise<void> => {
    const { actor, action, subject, companyId, ipAddress, details = {} } = entry
    const now = clock.now()
    await query
      .insertInto('auditLog')
      .values({
        id: uuidv7(now),
        at: new Date(now),
        actor,
        action,
        subject,
        companyId,
        ipAddress,
        details: JSON.stringify(details),
      })
      .execute()
  }
  return { write: insert, writeAlone: insert }
}
