import type { CertificateSummary, Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { Certificates } from '../../../ports/database/tables.ts'

export type CertificateWithBodies = Selectable<Certificates>

/** A row without the two large columns. */
export type StoredCertificate = Omit<CertificateWithBodies, 'body' | 'pdf'>

const columns = [
  'id',
  'companyId',
  'identityId',
  'mode',
  'state',
  'refSchemaUrl',
  'hash',
  'pdfHash',
  'transactionId',
  'recordedAt',
  'summary',
  'error',
  'attempts',
  'nextAttemptAt',
  'retainedUntil',
  'receiverIds',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof CertificateWithBodies)[]

export const summaryOf = ({ summary }: StoredCertificate): CertificateSummary =>
  JSON.parse(summary) as CertificateSummary

/**
 * Undefined if this certificate is being notarized or notarized already. Waits for a transaction that is inserting the
 * same certificate.
 */
export const insertCertificate = (
  tx: Query,
  row: Insertable<Certificates>,
): Promise<StoredCertificate | undefined> =>
  tx
    .insertInto('certificates')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['mode', 'hash']).where('state', '<>', sql.lit('failed')).doNothing(),
    )
    .returning(columns)
    .executeTakeFirst()

/** The notarization of this certificate that is running or done, of any company. */
export const findNotarization = (
  query: Query,
  { mode, hash }: { readonly mode: Mode; readonly hash: string },
): Promise<StoredCertificate | undefined> =>
  query
    .selectFrom('certificates')
    .select(columns)
    .where('mode', '=', mode)
    .where('hash', '=', hash)
    .where('state', '<>', sql.lit('failed'))
    .executeTakeFirst()

export const findCertificate = (query: Query, id: string): Promise<StoredCertificate | undefined> =>
  query.selectFrom('certificates').select(columns).where('id', '=', id).executeTakeFirst()

export const findCertificateWithBodies = (
  query: Query,
  id: string,
): Promise<CertificateWithBodies | undefined> =>
  query.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst()

export type CertificateFilter = {
  readonly companyId: string
  readonly mode: Mode
  readonly state: StoredCertificate['state'] | undefined
  /** Of the JSON or of the PDF. */
  readonly hash: string | undefined
  readonly identityId: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** Newest first. */
export const findCertificates = (
  query: Query,
  { companyId, mode, state, hash, identityId, after, limit }: CertificateFilter,
): Promise<StoredCertificate[]> =>
  query
    .selectFrom('certificates')
    .select(columns)
    .where((of) =>
      of.and([
        of.and({ companyId, mode, state, identityId }),
        ...(hash === undefined ? [] : [of.or({ hash, pdfHash: hash })]),
        ...(after === undefined ? [] : [of('id', '<', after)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Deletes bodies at the end of their retention; hashes, states and transactions stay. Returns how many it deleted. */
export const eraseBodies = async (query: Query, now: Date): Promise<number> => {
  const erased = await query
    .updateTable('certificates')
    .set({ body: null, pdf: null, summary: '{}', updatedAt: now })
    .where('retainedUntil', '<=', now)
    .where('state', 'in', ['notarized', 'failed'])
    .where((of) => of.or([of('body', 'is not', null), of('pdf', 'is not', null)]))
    .executeTakeFirst()
  return Number(erased.numUpdatedRows)
}
