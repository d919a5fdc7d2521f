import type { Insertable, Selectable } from 'kysely'
import { hasConfirmedFactor } from '../users/users.store.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { MfaFactors } from '../../../ports/database/tables.ts'

export type StoredFactor = Selectable<MfaFactors>

/** Wrong codes of an authenticator or a recovery code, each entered within an hour of the one before. */
export type WrongCodes = Pick<StoredFactor, 'failures' | 'failedAt'>

export const isConfirmed = ({ confirmedAt }: StoredFactor): boolean => confirmedAt !== null

export const insertFactor = async (tx: Query, factor: Insertable<MfaFactors>): Promise<void> => {
  await tx.insertInto('mfaFactors').values(factor).execute()
}

/** Newest first. Leaves out expired unconfirmed factors, even if the job has not deleted them yet. */
export const findFactors = (
  query: Query,
  userId: string,
  unconfirmedAfter: Date,
): Promise<readonly StoredFactor[]> =>
  selectFactors(query, userId, unconfirmedAfter).orderBy('id', 'desc').execute()

/** Concurrent calls for one user run one after the other, and each sees the changes of the one before. */
export const lockFactors = (
  tx: Query,
  userId: string,
  unconfirmedAfter: Date,
): Promise<readonly StoredFactor[]> =>
  selectFactors(tx, userId, unconfirmedAfter).orderBy('id').forUpdate().execute()

const selectFactors = (query: Query, userId: string, unconfirmedAfter: Date) =>
  query
    .selectFrom('mfaFactors')
    .selectAll()
    .where('userId', '=', userId)
    .where((row) => row.or([row('confirmedAt', 'is not', null), row('createdAt', '>', unconfirmedAfter)]))

/** Whether signing in asks for a second factor. */
export const hasFactor = async (query: Query, userId: string): Promise<boolean> =>
  (await query
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(hasConfirmedFactor)
    .executeTakeFirst()) !== undefined

/** RFC 6238 §5.2: false if a code of this step or a later one was accepted before. */
export const useStep = async (
  tx: Query,
  { id, step }: { id: string; step: number },
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('mfaFactors')
    .set({ lastStep: step, lastUsedAt: now })
    .where('id', '=', id)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const saveWrongCodes = async (tx: Query, id: string, wrong: WrongCodes): Promise<void> => {
  const { failures, failedAt } = wrong
  await tx.updateTable('mfaFactors').set({ failures, failedAt }).where('id', '=', id).execute()
}

export const markConfirmed = async (
  tx: Query,
  { id, name }: { id: string; name: string },
  now: Date,
): Promise<void> => {
  await tx.updateTable('mfaFactors').set({ name, confirmedAt: now }).where('id', '=', id).execute()
}

export const deleteFactor = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('mfaFactors').where('id', '=', id).execute()
}

export const deleteUnconfirmedFactors = async (query: Query, before: Date): Promise<void> => {
  await query
    .deleteFrom('mfaFactors')
    .where('confirmedAt', 'is', null)
    .where('createdAt', '<=', before)
    .execute()
}
