import type { Reason } from '@millseal/contract/reasons'
import { type Insertable, type Selectable, sql } from 'kysely'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { CertificateCorrections } from '../../../ports/database/tables.ts'

export type StoredCorrection = Selectable<CertificateCorrections>

/**
 * The correction to record: the given one, or the same one of an earlier call, with its reason. Replaces one that the
 * ledger does not have yet if it was refused, or if somebody else wanted it, because they sign with different keys.
 */
export const startCorrection = async (
  query: Query,
  wanted: Omit<Insertable<CertificateCorrections>, 'transactionId' | 'recordedAt' | 'error' | 'reasons'>,
): Promise<StoredCorrection> => {
  const started = await query
    .insertInto('certificateCorrections')
    .values(wanted)
    .onConflict((conflict) =>
      conflict
        .columns(['certificateId', 'action', 'replacedBy'])
        .doUpdateSet((of) => ({
          madeBy: of.ref('excluded.madeBy'),
          reason: of.ref('excluded.reason'),
          wantedBy: of.ref('excluded.wantedBy'),
          ipAddress: of.ref('excluded.ipAddress'),
          error: null,
          reasons: null,
        }))
        .where('certificateCorrections.transactionId', 'is', null)
        .where((of) =>
          of.or([
            of('certificateCorrections.madeBy', '<>', of.ref('excluded.madeBy')),
            of('certificateCorrections.error', 'is not', null),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst()
  return (
    started ??
    query
      .selectFrom('certificateCorrections')
      .selectAll()
      .where('certificateId', '=', wanted.certificateId)
      .where('action', '=', wanted.action)
      .where('replacedBy', 'is not distinct from', wanted.replacedBy ?? null)
      .executeTakeFirstOrThrow()
  )
}

/** Until the transaction ends, no other one starts to replace a certificate of the company. */
export const lockReplacements = async (tx: Query, companyId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`replacements\n${companyId}`}, 0))`.execute(tx)
}

/** Whether one certificate is replaced by the other, directly or over others, also if the ledger does not have it yet. */
export const leadsTo = async (
  query: Query,
  { from, to }: Readonly<Record<'from' | 'to', string>>,
): Promise<boolean> => {
  const found = await query
    .withRecursive('chain', (db) =>
      db
        .selectFrom('certificateCorrections')
        .select('replacedBy')
        .where('certificateId', '=', from)
        .union(
          db
            .selectFrom('certificateCorrections as next')
            .innerJoin('chain', 'chain.replacedBy', 'next.certificateId')
            .select('next.replacedBy'),
        ),
    )
    .selectFrom('chain')
    .select('replacedBy')
    .where('replacedBy', '=', to)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Returns false if an earlier call finished it. Reason and author are those of the transaction: others may have called
 * since. Who wanted it is in the audit log from now on.
 */
export const finishCorrection = async (
  tx: Query,
  { id, reason, madeBy }: StoredCorrection,
  recorded: { readonly transactionId: string; readonly recordedAt: Date },
): Promise<boolean> => {
  const finished = await tx
    .updateTable('certificateCorrections')
    .set({ ...recorded, reason, madeBy, wantedBy: null, ipAddress: null, error: null, reasons: null })
    .where('id', '=', id)
    .where('transactionId', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return finished !== undefined
}

/** Keeps why the ledger has it not and never will, unless another attempt was faster. */
export const refuseCorrection = async (
  query: Query,
  id: string,
  reasons: readonly Reason[],
): Promise<void> => {
  await query
    .updateTable('certificateCorrections')
    .set({ ...storedReasons(reasons), wantedBy: null, ipAddress: null })
    .where('id', '=', id)
    .where('transactionId', 'is', null)
    .execute()
}

export const findCorrection = (query: Query, id: string): Promise<StoredCorrection | undefined> =>
  query.selectFrom('certificateCorrections').selectAll().where('id', '=', id).executeTakeFirst()

export const findReplacement = (
  query: Query,
  { certificateId, replacedBy }: { readonly certificateId: string; readonly replacedBy: string },
): Promise<StoredCorrection | undefined> =>
  query
    .selectFrom('certificateCorrections')
    .selectAll()
    .where('certificateId', '=', certificateId)
    .where('replacedBy', '=', replacedBy)
    .executeTakeFirst()

/** The certificate that replaces this one, or will once its notarization ends. */
export const findReplacing = (
  query: Query,
  certificateId: string,
): Promise<
  { readonly id: string; readonly hash: string; readonly transactionId: string | null } | undefined
> =>
  query
    .selectFrom('certificateCorrections as c')
    .innerJoin('certificates as r', 'r.id', 'c.replacedBy')
    .select(['r.id', 'r.hash', 'c.transactionId'])
    .where('c.certificateId', '=', certificateId)
    .where('c.error', 'is', null)
    .where((of) => of.or([of('c.transactionId', 'is not', null), of('r.state', '<>', sql.lit('failed'))]))
    .orderBy('c.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A correction that the ledger has, with the transaction of the new certificate. */
export type RecordedCorrection = StoredCorrection & {
  readonly transactionId: string
  readonly recordedAt: Date
  readonly replacement: string | null
}

const recorded = (query: Query) =>
  query
    .selectFrom('certificateCorrections')
    .leftJoin('certificates as replacement', 'replacement.id', 'certificateCorrections.replacedBy')
    .selectAll('certificateCorrections')
    .select('replacement.transactionId as replacement')
    .where('certificateCorrections.transactionId', 'is not', null)
    .$narrowType<{ transactionId: string; recordedAt: Date }>()

/** In the order in which they were recorded. */
export const findRecordedCorrections = async (
  query: Query,
  certificateIds: readonly string[],
): Promise<RecordedCorrection[]> =>
  certificateIds.length === 0
    ? []
    : recorded(query)
        .where('certificateCorrections.certificateId', 'in', certificateIds)
        .orderBy('certificateCorrections.recordedAt')
        .orderBy('certificateCorrections.id')
        .execute()

export const findRecordedCorrection = (query: Query, id: string): Promise<RecordedCorrection | undefined> =>
  recorded(query).where('certificateCorrections.id', '=', id).executeTakeFirst()
