import type { Reason } from '@millseal/contract/reasons'
import type { Query, Transaction } from '../database/database.ts'

/** Work that failed for good, with everything an operator needs to decide whether to run it again. */
export type FailedJob = {
  readonly id: string
  readonly kind: string
  readonly createdAt: Date
  readonly failedAt: Date
  readonly attempts: number
  /** The message of the last error, without secrets. */
  readonly error: string
  /** Its codes and values, without secrets; undefined if only the text is known. */
  readonly reasons: readonly Reason[] | undefined
  /** Ids of what the work is about. */
  readonly data: object
}

export type FailedPage = {
  /** Only work of this kind. */
  readonly kind: string | undefined
  /** Only work that comes after this one in the list. */
  readonly after: Pick<FailedJob, 'failedAt' | 'id'> | undefined
  readonly limit: number
}

export type WorkCounts = {
  readonly waiting: number
  readonly active: number
  readonly failed: number
  /** For how long the oldest that waits has been due; 0 if none is due. */
  readonly overdueSeconds: number
}

/** A place with failed work. It stays there for a month. */
export interface FailedWork {
  /** The newest failure first; of the same time, the greatest id first. */
  list(query: Query, page: FailedPage): Promise<FailedJob[]>
  find(query: Query, id: string): Promise<FailedJob | undefined>
  /**
   * Starts it again, from its first attempt. False if it is not there (any more), so a second call has no effect. Throws
   * `job_not_repeatable` if it cannot run.
   */
  runAgain(tx: Transaction, id: string): Promise<boolean>
}

/** The work that a service claims from its own tables, as far as operators see it. */
export interface OwnWork extends FailedWork {
  count(query: Query): Promise<WorkCounts>
}
