import type { Query, Transaction } from '../database/database.ts'

export type AuditEntry = {
  /** `user:<id>`, `application:<id>`, `ip:<address>`, or `command` for the operator's command line. */
  readonly actor: string
  /** `<resource>.<what>`, like the id of an operation. */
  readonly action: string
  readonly subject: string
  readonly companyId?: string
  readonly ipAddress?: string
  /** Values before and after, or the reason; never a secret. */
  readonly details?: object
}

export type StoredAuditEntry = AuditEntry & {
  readonly id: string
  readonly at: Date
  readonly details: object
}

/** An entry must match all of them completely. */
export type AuditFilter = {
  readonly actor: string | undefined
  readonly action: string | undefined
  /** No entries of this action. */
  readonly exceptAction: string | undefined
  readonly subject: string | undefined
  readonly companyId: string | undefined
  readonly from: Date | undefined
  /** Before this time. */
  readonly to: Date | undefined
}

export type AuditPage = { readonly after: string | undefined; readonly limit: number }

/**
 * The append-only record of sensitive actions. It is written in the transaction of the action, so an action that cannot
 * be recorded does not happen. The database rejects changes and deletions.
 */
export interface Audit {
  write(tx: Transaction, ...entries: readonly AuditEntry[]): Promise<void>
  /** For actions that write nothing else, such as the use of a key. Durable when it resolves. */
  writeAlone(query: Query, entries: readonly AuditEntry[]): Promise<void>
  /** Newest first. */
  list(query: Query, filter: AuditFilter, page: AuditPage): Promise<StoredAuditEntry[]>
  /** Counts no further than `atMost`. */
  count(query: Query, filter: AuditFilter, atMost: number): Promise<number>
}
