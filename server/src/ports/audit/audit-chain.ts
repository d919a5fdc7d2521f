import type { Database, Query } from '../database/database.ts'

/** The last row of the chain. `hash` is in hex. */
export type ChainHead = { readonly position: number; readonly hash: string }

export type ChainFault = {
  /** `inserted`: not by the service, or while the clock was wrong. `chain`: the chain itself was changed. */
  readonly kind: 'altered' | 'removed' | 'inserted' | 'chain'
  readonly position?: number
  readonly entryId?: string
}

export type ChainReport = {
  /** Undefined if nothing is chained yet. */
  readonly head: ChainHead | undefined
  /** Up to here the entries are in files, and no longer in the database. */
  readonly archived: (ChainHead & { readonly archivedAt: Date }) | undefined
  /** Entries that are not in the chain yet. */
  readonly waiting: number
  /** The first ones, in the order of the chain. */
  readonly faults: readonly ChainFault[]
}

/**
 * A hash chain over the audit log. Entries are chained in batches after their transactions have committed, so that writing
 * one costs nothing; until then, a change of an entry is not noticed.
 */
export interface AuditChain {
  /** Chains what waits. Processes that call it at once take turns. Returns the number of entries. */
  extend(database: Database): Promise<number>
  head(query: Query): Promise<ChainHead | undefined>
  /** The hash at a position. Undefined beyond the end, and before the end of what is archived. */
  hashAt(query: Query, position: number): Promise<string | undefined>
  /** Reads the whole log that is in the database. */
  verify(query: Query): Promise<ChainReport>
}
