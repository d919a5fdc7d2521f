import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import { type CertificateRow, type StoredCertificate, toCertificate } from './stored-certificate.ts'

export type CertificateTables = { certificates: CertificateRow }

export type NewCertificate = Pick<
  StoredCertificate,
  'id' | 'companyId' | 'identityId' | 'mode' | 'refSchemaUrl' | 'hash' | 'summary' | 'retainedUntil'
> & { readonly body: Uint8Array }

/** Nothing when its notarization was asked for already; while that is being written, this waits for it. */
export const insertCertificate = async (tx: Query, wanted: NewCertificate, now: Date): Promise<boolean> => {
  const inserted = await tx
    .withTables<CertificateTables>()
    .insertInto('certificates')
    .values({
      id: wanted.id,
      company_id: wanted.companyId,
      identity_id: wanted.identityId,
      mode: wanted.mode,
      state: 'accepted',
      ref_schema_url: wanted.refSchemaUrl,
      hash: wanted.hash,
      body: wanted.body,
      pdf: null,
      pdf_hash: null,
      transaction_id: null,
      recorded_at: null,
      summary: JSON.stringify(wanted.summary),
      error: null,
      attempts: 0,
      retained_until: wanted.retainedUntil,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['mode', 'hash']).where('state', '<>', sql.lit('failed')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const columns = [
  'id',
  'company_id',
  'identity_id',
  'mode',
  'state',
  'ref_schema_url',
  'hash',
  'pdf_hash',
  'transaction_id',
  'recorded_at',
  'summary',
  'error',
  'attempts',
  'retained_until',
  'created_at',
  'updated_at',
] as const

/** The notarization of this certificate that is under way or done, whoever asked for it. */
export const findNotarization = async (
  query: Query,
  { mode, hash }: { readonly mode: Mode; readonly hash: string },
): Promise<StoredCertificate | undefined> => {
  const row = await query
    .withTables<CertificateTables>()
    .selectFrom('certificates')
    .select([...columns])
    .where('mode', '=', mode)
    .where('hash', '=', hash)
    .where('state', '<>', sql.lit('failed'))
    .executeTakeFirst()
  return row && toCertificate(row)
}

export const findCertificate = async (query: Query, id: string): Promise<StoredCertificate | undefined> => {
  const row = await query
    .withTables<CertificateTables>()
    .selectFrom('certificates')
    .select([...columns])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toCertificate(row)
}

/** What is erased when the retention is over: the JSON as received, and its PDF once there is one. */
export type Bodies = { readonly body: Uint8Array | undefined; readonly pdf: Uint8Array | undefined }

export const findBodies = async (query: Query, id: string): Promise<Bodies> => {
  const row = await query
    .withTables<CertificateTables>()
    .selectFrom('certificates')
    .select(['body', 'pdf'])
    .where('id', '=', id)
    .executeTakeFirst()
  return bodiesOf(row)
}

export const findCertificateWithBodies = async (
  query: Query,
  id: string,
): Promise<(StoredCertificate & Bodies) | undefined> => {
  const row = await query
    .withTables<CertificateTables>()
    .selectFrom('certificates')
    .select([...columns, 'body', 'pdf'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...toCertificate(row), ...bodiesOf(row) }
}

const bodiesOf = (row: Pick<CertificateRow, 'body' | 'pdf'> | undefined): Bodies => ({
  body: row?.body ?? undefined,
  pdf: row?.pdf ?? undefined,
})

export type CertificateFilter = {
  readonly companyId: string
  readonly mode: Mode
  readonly state?: StoredCertificate['state'] | undefined
  readonly hash?: string | undefined
  readonly identityId?: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** Newest first. */
export const findCertificates = async (
  query: Query,
  { companyId, mode, state, hash, identityId, after, limit }: CertificateFilter,
): Promise<StoredCertificate[]> => {
  const rows = await query
    .withTables<CertificateTables>()
    .selectFrom('certificates')
    .select([...columns])
    .where('company_id', '=', companyId)
    .where('mode', '=', mode)
    .$if(state !== undefined, (some) => some.where('state', '=', state ?? 'accepted'))
    .$if(hash !== undefined, (some) =>
      some.where((of) => of.or([of('hash', '=', hash ?? ''), of('pdf_hash', '=', hash ?? '')])),
    )
    .$if(identityId !== undefined, (some) => some.where('identity_id', '=', identityId ?? ''))
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toCertificate)
}

/** Bodies whose retention is over; hashes, states and transactions stay. Resolves with how many there were. */
export const eraseBodies = async (query: Query, now: Date): Promise<number> => {
  const erased = await query
    .withTables<CertificateTables>()
    .updateTable('certificates')
    .set({ body: null, pdf: null, summary: '{}', updated_at: now })
    .where('retained_until', '<=', now)
    .where('state', 'in', ['notarized', 'failed'])
    .where((of) => of.or([of('body', 'is not', null), of('pdf', 'is not', null)]))
    .returning(sql<number>`1`.as('one'))
    .execute()
  return erased.length
}
