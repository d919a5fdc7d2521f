import { sql } from 'kysely'
import { commitLater } from '../../../ports/database/commit-later.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { CertificateTables } from './certificates.store.ts'
import { type StoredCertificate, toCertificate } from './stored-certificate.ts'

export type Begun = StoredCertificate & { readonly body: Uint8Array; readonly pdf: Uint8Array | undefined }

/** Takes a notarization up, or up again. Nothing when it has ended. */
export const beginNotarization = async (query: Query, id: string, now: Date): Promise<Begun | undefined> => {
  const row = await query
    .withTables<CertificateTables>()
    .updateTable('certificates')
    .set({ state: 'running', attempts: sql<number>`attempts + 1`, updated_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['accepted', 'running'])
    .returningAll()
    .returning(commitLater.as('commit'))
    .executeTakeFirst()
  if (row === undefined || row.body === null) return undefined
  return { ...toCertificate(row), body: row.body, pdf: row.pdf ?? undefined }
}

/**
 * The first PDF stays: what is recorded on the ledger must be what is sent, whoever else renders meanwhile. It is on disk
 * before the ledger hears of it: the use of the key, which comes between, waits for the disk with all that came before.
 */
export const keepPdf = async (
  query: Query,
  { id, pdf, pdfHash }: { readonly id: string; readonly pdf: Uint8Array; readonly pdfHash: string },
): Promise<boolean> => {
  const kept = await query
    .withTables<CertificateTables>()
    .updateTable('certificates')
    .set({ pdf, pdf_hash: pdfHash })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('pdf', 'is', null)
    .returning(['id', commitLater.as('commit')])
    .executeTakeFirst()
  return kept !== undefined
}

/** False when somebody else ended it first: then nothing more may follow from this run. */
export const endNotarization = async (
  tx: Query,
  id: string,
  end:
    | { readonly state: 'notarized'; readonly transactionId: string; readonly recordedAt: Date }
    | { readonly state: 'failed'; readonly error: string },
  now: Date,
): Promise<boolean> => {
  const ended = await tx
    .withTables<CertificateTables>()
    .updateTable('certificates')
    .set({
      state: end.state,
      updated_at: now,
      ...(end.state === 'notarized'
        ? { transaction_id: end.transactionId, recorded_at: end.recordedAt }
        : { error: end.error }),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}
