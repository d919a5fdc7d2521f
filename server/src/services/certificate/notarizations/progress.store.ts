import { sql } from 'kysely'
import { bytesArray } from '../../../ports/database/bytes-array.ts'
import { commitLater } from '../../../ports/database/commit-later.ts'
import type { Query } from '../../../ports/database/database.ts'
import { givenArray } from '../../../ports/database/given-array.ts'
import type { StoredCertificate } from '../certificates/certificates.store.ts'

/** A notarization that a worker has claimed. */
export type RunningNotarization = StoredCertificate & {
  readonly body: Uint8Array
  readonly pdf: Uint8Array | null
  /** Whether its company has set the look of any of its certificates. */
  readonly hasLook: boolean
}

export type NewPdf = {
  readonly id: string
  readonly pdf: Uint8Array
  readonly pdfHash: string
  /** Who sealed it, as JSON. */
  readonly seal: string | null
}

/**
 * Stores PDFs and returns the ids of those that it stored: not of a certificate of which a concurrent run stored one
 * first, because the PDF that is sent must be the one that the ledger records. They are on disk before the ledger records
 * them, because using the key, which comes in between, waits for the disk.
 */
export const storePdfs = async (
  query: Query,
  pdfs: readonly NewPdf[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  const ids = pdfs.map(({ id }) => id)
  const contents = bytesArray(pdfs.map(({ pdf }) => pdf))
  const hashes = pdfs.map(({ pdfHash }) => pdfHash)
  const seals = pdfs.map(({ seal }) => seal)
  const { rows } = await sql<{ id: string }>`
    update certificates c
    set pdf = new.pdf, pdf_hash = new.pdf_hash, seal = new.seal, rendered_at = ${now}
    from unnest(
      ${givenArray(ids, 'uuid')}, ${givenArray(contents, 'bytea')}, ${givenArray(hashes, 'text')},
      ${givenArray(seals, 'text')}
    ) as new (id, pdf, pdf_hash, seal)
    where c.id = new.id and c.state = 'running' and c.pdf is null
    returning c.id, ${commitLater} as commit`.execute(query)
  return new Set(rows.map(({ id }) => id))
}

export type AwaitedEntry = {
  readonly id: string
  readonly transactionId: string
  readonly recordedAt: Date
  /** Its index in the log. */
  readonly entry: number
}

/** They have their entries and are not due before these are confirmed; the attempt does not count. */
export const awaitEntries = async (
  query: Query,
  awaited: readonly AwaitedEntry[],
  now: Date,
): Promise<void> => {
  await sql`
    update certificates c
    set transaction_id = a.transaction_id, recorded_at = a.recorded_at, awaits_entry = a.entry,
      next_attempt_at = null, attempts = attempts - 1, updated_at = ${now}
    from unnest(
      ${awaited.map(({ id }) => id)}::uuid[], ${awaited.map(({ transactionId }) => transactionId)}::text[],
      ${awaited.map(({ recordedAt }) => recordedAt)}::timestamptz[], ${awaited.map(({ entry }) => entry)}::bigint[]
    ) as a (id, transaction_id, recorded_at, entry)
    where c.id = a.id and c.state = 'running'`.execute(query)
}

export type End = { readonly id: string } & (
  | { readonly state: 'notarized'; readonly transactionId: string; readonly recordedAt: Date }
  | { readonly state: 'failed'; readonly error: string; readonly reasons: string | null }
)

/** Returns the ids of those that it ended. Another run ended the others first: this one must then have no further effect. */
export const endNotarizations = async (
  tx: Query,
  ends: readonly End[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  const each = <Value>(read: (end: End) => Value): Value[] => ends.map(read)
  const { rows } = await sql<{ id: string }>`
    update certificates c
    set state = e.state, transaction_id = e.transaction_id, recorded_at = e.recorded_at, error = e.error, reasons = e.reasons,
      awaits_entry = null, next_attempt_at = null, ended_at = ${now}, updated_at = ${now}
    from unnest(
      ${each(({ id }) => id)}::uuid[], ${each(({ state }) => state)}::text[],
      ${each((end) => (end.state === 'notarized' ? end.transactionId : null))}::text[],
      ${each((end) => (end.state === 'notarized' ? end.recordedAt : null))}::timestamptz[],
      ${each((end) => (end.state === 'failed' ? end.error : null))}::text[],
      ${each((end) => (end.state === 'failed' ? end.reasons : null))}::text[]
    ) as e (id, state, transaction_id, recorded_at, error, reasons)
    where c.id = e.id and c.state = 'running'
    returning c.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
