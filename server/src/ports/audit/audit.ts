import { uuidv7 } from '../../lib/uuid.ts'
import type { Clock } from '../clock/clock.ts'
import type { Query, Transaction } from '../database/database.ts'

export type AuditEntry = {
  /** Who did it: `user:<id>`, `application:<id>`, `ip:<address>`, `command` for the operator's command line. */
  readonly actor: string
  /** `<resource>.<what>`, as operations are called. */
  readonly action: string
  /** What it was done to. */
  readonly subject: string
  readonly companyId?: string
  readonly ipAddress?: string
  /** Before and after, or why; never a secret. */
  readonly details?: object
}

/**
 * The append-only record of sensitive actions. Written in the transaction of the action: an action that cannot be
 * recorded does not happen. The database itself refuses to change or delete an entry.
 */
export interface Audit {
  write(tx: Transaction, entry: AuditEntry): Promise<void>
  /** Of an action that writes nothing else, the use of a key: durable when it resolves. */
  writeAlone(query: Query, entry: AuditEntry): Promise<void>
}

type AuditTables = {
  audit_log: {
    id: string
    at: Date
    actor: string
    action: string
    subject: string
    company_id: string | null
    ip_address: string | null
    details: string
  }
}

export const createAudit = ({ clock }: { readonly clock: Clock }): Audit => {
  const insert = async (query: Query, entry: AuditEntry): Promise<void> => {
    const { actor, action, subject, companyId, ipAddress, details = {} } = entry
    const now = clock.now()
    await query
      .withTables<AuditTables>()
      .insertInto('audit_log')
      .values({
        id: uuidv7(now),
        at: new Date(now),
        actor,
        action,
        subject,
        company_id: companyId ?? null,
        ip_address: ipAddress ?? null,
        details: JSON.stringify(details),
      })
      .execute()
  }
  return { write: insert, writeAlone: insert }
}
