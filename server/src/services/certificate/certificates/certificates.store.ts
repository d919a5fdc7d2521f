import type { CertificateSummary, Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { eraseBatch } from '../../../lib/erase.ts'
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
  'family',
  'hash',
  'pdfHash',
  'transactionId',
  'recordedAt',
  'summary',
  'error',
  'reasons',
  'attempts',
  'nextAttemptAt',
  'retainedUntil',
  'own',
  'awaitsRelease',
  'release',
  'releaseBy',
  'releaseAt',
  'acceptedBy',
  'replaces',
  'awaitsEntry',
  'renderedAt',
  'seal',
  'endedAt',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof CertificateWithBodies)[]

export const summaryOf = ({ summary }: StoredCertificate): CertificateSummary =>
  JSON.parse(summary) as CertificateSummary

export type NewCertificate = Insertable<Certificates> & { readonly createdAt: Date }

/** Drops an index that allows one entry only: processes of the release before name its columns when they insert. */
export const allowOwnEntries = async (query: Query): Promise<void> => {
  await sql`drop index if exists certificates_one_notarization`.execute(query)
}

/**
 * Resolves with those that were inserted, by id: without the certificates that are being notarized or notarized already. Waits
 * for transactions that are inserting the same certificates.
 */
export const insertCertificates = async (
  tx: Query,
  given: readonly { readonly row: NewCertificate; readonly words: string }[],
): Promise<ReadonlyMap<string, StoredCertificate>> => {
  // In the same order everywhere: two transactions never wait for each other.
  const ordered = given.toSorted((one, other) => (one.row.hash < other.row.hash ? -1 : 1))
  const ids = ordered.map(({ row }) => row.id)
  const texts = ordered.map(({ words }) => words)
  const inserted = await tx
    .with('inserted', (of) =>
      of
        .insertInto('certificates')
        .values(ordered.map(({ row }) => row))
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns),
    )
    .with('found', (of) =>
      of
        .insertInto('certificateTexts')
        .columns(['certificateId', 'companyId', 'mode', 'words'])
        .expression((from) =>
          from
            .selectFrom([
              'inserted',
              sql<{
                readonly id: string
                readonly words: string
              }>`unnest(${ids}::uuid[], ${texts}::text[])`.as<'given'>(sql`given (id, words)`),
            ])
            .select(['inserted.id', 'inserted.companyId', 'inserted.mode', 'given.words'])
            .whereRef('given.id', '=', 'inserted.id')
            .where('given.words', '<>', ''),
        ),
    )
    .selectFrom('inserted')
    .selectAll()
    .execute()
  return new Map(inserted.map((row) => [row.id, row]))
}

/** The notarizations of this certificate that are running or done, of any company: at most one that is not `own`, which is first. */
export const findNotarizations = (
  query: Query,
  { mode, hash }: { readonly mode: Mode; readonly hash: string },
): Promise<StoredCertificate[]> =>
  query
    .selectFrom('certificates')
    .select(columns)
    .where('mode', '=', mode)
    .where('hash', '=', hash)
    .where('state', '<>', sql.lit('failed'))
    .orderBy('own')
    .orderBy('id')
    .execute()

export const findCertificate = (query: Query, id: string): Promise<StoredCertificate | undefined> =>
  query.selectFrom('certificates').select(columns).where('id', '=', id).executeTakeFirst()

export const findCertificateWithBodies = (
  query: Query,
  id: string,
): Promise<CertificateWithBodies | undefined> =>
  query.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst()

/** In any order. */
export const findCertificatesById = (query: Query, ids: readonly string[]): Promise<StoredCertificate[]> =>
  query
    .selectFrom('certificates')
    .select(columns)
    .where('id', '=', sql<string>`any (${[...ids]}::uuid[])`)
    .execute()

/**
 * Deletes bodies, and everything that was taken from them, at the end of their retention; hashes, states and transactions
 * stay. Returns how many bodies it deleted, at most a batch.
 */
export const eraseBodies = async (query: Query, now: Date): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id from certificates
      where retained_until <= ${now} and state in ('notarized', 'failed') and body is not null
      order by retained_until limit ${eraseBatch} for update skip locked
    ), erased as (
      update certificates set body = null, pdf = null, summary = '{}', updated_at = ${now}
      where id in (select id from due)
      returning id
    ), unlinked as (
      delete from certificate_links where certificate_id in (select id from erased)
    ), forgotten as (
      delete from certificate_texts where certificate_id in (select id from erased)
    ), forgotten_by_receivers as (
      delete from received_texts where certificate_id in (select id from erased)
    ), unsorted as (
      update certificate_receivers set number = '~', party = '~' where certificate_id in (select id from erased)
    )
    select id from erased`.execute(query)
  return rows.length
}
