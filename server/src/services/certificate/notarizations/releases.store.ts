import { sql } from 'kysely'
import { eraseBatch } from '../../../lib/erase.ts'
import type { Query } from '../../../ports/database/database.ts'
import { notarizationChannel } from './queue.store.ts'

/** False if it does not wait any more: somebody else decided first. */
export const release = async (
  tx: Query,
  {
    id,
    by,
    now,
    retainedUntil,
  }: { readonly id: string; readonly by: string; readonly now: Date; readonly retainedUntil: Date },
): Promise<boolean> => {
  const decided = await tx
    .updateTable('certificates')
    .set({ release: 'released', releaseBy: by, releaseAt: now, updatedAt: now })
    .set({ awaitsRelease: false, nextAttemptAt: now, retainedUntil })
    .where('id', '=', id)
    .where('awaitsRelease', '=', sql.lit(true))
    .returning('id')
    .executeTakeFirst()
  if (decided === undefined) return false
  await sql`select pg_notify(${notarizationChannel}, '')`.execute(tx)
  return true
}

/** False if it does not wait any more. */
export const refuseRelease = async (
  tx: Query,
  {
    id,
    by,
    now,
    error,
    reasons,
  }: {
    readonly id: string
    readonly by: string
    readonly now: Date
    readonly error: string
    readonly reasons: string
  },
): Promise<boolean> => {
  const decided = await tx
    .updateTable('certificates')
    .set({ release: 'refused', releaseBy: by, releaseAt: now, updatedAt: now })
    .set({ awaitsRelease: false, state: 'failed', error, reasons, endedAt: now })
    .where('id', '=', id)
    .where('awaitsRelease', '=', sql.lit(true))
    .returning('id')
    .executeTakeFirst()
  return decided !== undefined
}

/** Those whose retention ended while they waited. */
export const findOverdueReleases = (query: Query, now: Date): Promise<{ readonly id: string }[]> =>
  query
    .selectFrom('certificates')
    .select('id')
    .where('awaitsRelease', '=', sql.lit(true))
    .where('retainedUntil', '<=', now)
    .orderBy('retainedUntil')
    .limit(eraseBatch)
    .execute()
