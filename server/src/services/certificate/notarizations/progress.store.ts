import { commitLater } from '../../../ports/database/commit-later.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { StoredCertificate } from './certificates.store.ts'

/** A notarization that a worker has claimed. */
export type RunningNotarization = StoredCertificate & {
  readonly body: Uint8Array
  readonly pdf: Uint8Array | null
}

/**
 * Stores the PDF and returns true, unless a concurrent run stored one first: the PDF that is sent must be the one that
 * the ledger records. It is on disk before the ledger records it, because using the key, which comes in between, waits
 * for the disk.
 */
export const storePdf = async (
  query: Query,
  { id, pdf, pdfHash }: { readonly id: string; readonly pdf: Uint8Array; readonly pdfHash: string },
  now: Date,
): Promise<boolean> => {
  const stored = await query
    .updateTable('certificates')
    .set({ pdf, pdfHash, renderedAt: now })
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
    | {
        readonly state: 'notarized'
        readonly transactionId: string
        readonly recordedAt: Date
      }
    | { readonly state: 'failed'; readonly error: string },
  now: Date,
): Promise<boolean> => {
  const ended = await tx
    .updateTable('certificates')
    .set({ ...end, nextAttemptAt: null, endedAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
