import type { SignedTransaction } from '@millseal/proof'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export const sampleKinds = ['genuine', 'changed', 'withdrawn'] as const
export type SampleKind = (typeof sampleKinds)[number]

export type NewSample = {
  readonly kind: SampleKind
  readonly pdf: Uint8Array
  /** Of the notarized JSON. Undefined for a file that is not notarized. */
  readonly hash?: string
  /** To be recorded in this order: its notarization and what corrects it. */
  readonly transactions: readonly SignedTransaction[]
}

/** Keeps those of another process that was faster. */
export const insertSamples = async (
  query: Query,
  samples: readonly NewSample[],
  createdAt: Date,
): Promise<void> => {
  await query
    .insertInto('samples')
    .values(
      samples.map(({ kind, pdf, hash = null, transactions }) => ({
        kind,
        pdf: Buffer.from(pdf),
        hash,
        transactionId: transactions[0]?.id ?? null,
        transactions: JSON.stringify(transactions),
        createdAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type MadeSample = {
  readonly kind: SampleKind
  readonly transactions: readonly SignedTransaction[]
  readonly isRecorded: boolean
}

export const findSamples = async (query: Query): Promise<readonly MadeSample[]> => {
  const { rows } = await sql<MadeSample>`
    select kind, transactions, recorded_at is not null as is_recorded from samples order by kind`.execute(
    query,
  )
  return rows
}

export const saveRecorded = async (query: Query, recordedAt: Date): Promise<void> => {
  await query.updateTable('samples').set({ recordedAt }).where('recordedAt', 'is', null).execute()
}

/** Undefined until the ledger has all of them. */
export const findSamplePdf = async (query: Query, kind: SampleKind): Promise<Uint8Array | undefined> => {
  const row = await query
    .selectFrom('samples')
    .select('pdf')
    .where('kind', '=', kind)
    .where('recordedAt', 'is not', null)
    .executeTakeFirst()
  return row?.pdf
}
