import { sql } from 'kysely'
import { commitLater } from '../../../ports/database/commit-later.ts'
import { type Query, tables } from '../../../ports/database/database.ts'
import type { StoredCertificate } from './certificates.store.ts'

export type RunningNotarization = StoredCertificate & {
  readonly body: Uint8Array
  readonly pdf: Uint8Array | null
}

/** Undefined if the notarization has ended. */
export const beginNotarization = async (
  query: Query,
  id: string,
  now: Date,
): Promise<RunningNotarization | undefined> => {
  const row = await tables(query)
    .updateTable('certificates')
    .set({ state: 'running', attempts: sql<number>`attempts + 1`, updatedAt: now })
    .where('id', '=', id)
    .where('state', 'in', ['accepted', 'running'])
    .returningAll()
    .returning(commitLater.as('commit'))
    .executeTakeFirst()
  return row === undefined || row.body === null ? undefined : { ...row, body: row.body }
}

/**
 * Stores the PDF and returns true, unless a concurrent run stored one first: the PDF that is sent must be the one that
 * the ledger records. It is on disk before the ledger records it, because using the key, which comes in between, waits
 * for the disk.
 */
export const storePdf = async (
  query: Query,
  { id, pdf, pdfHash }: { readonly id: string; readonly pdf: Uint8Array; readonly pdfHash: string },
): Promise<boolean> => {
  const stored = await tables(query)
    .updateTable('certificates')
    .set({ pdf, pdfHash })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('pdf', 'is', null)
    .returning(['id', commitLater.as('commit')])
    .executeTakeFirst()
  return stored !== undefined
}

/** Returns false if another run ended it first: this run must then have no further effect. */
export const endNotarization = async (
  tx: Query,
  id: string,
  end:
    | { readonly state: 'notarized'; readonly transactionId: string; readonly recordedAt: Date }
    | { readonly state: 'failed'; readonly error: string },
  now: Date,
): Promise<boolean> => {
  const ended = await tables(tx)
    .updateTable('certificates')
    .set({ ...end, updatedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
