import type { Selectable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { RecoveryCodes } from '../../../ports/database/tables.ts'
import type { WrongCodes } from './factors.store.ts'

export type StoredRecoveryCode = Selectable<RecoveryCodes>

/** Replaces the previous code. */
export const putRecoveryCode = async (
  tx: Query,
  { userId, codeHash }: { userId: string; codeHash: string },
  now: Date,
): Promise<void> => {
  const unused = { codeHash, failures: 0, failedAt: null, createdAt: now }
  await tx
    .insertInto('recoveryCodes')
    .values({ userId, ...unused })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(unused))
    .execute()
}

export const hasRecoveryCode = async (query: Query, userId: string): Promise<boolean> => {
  const row = await query
    .selectFrom('recoveryCodes')
    .select('userId')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export const lockRecoveryCode = (tx: Query, userId: string): Promise<StoredRecoveryCode | undefined> =>
  tx.selectFrom('recoveryCodes').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirst()

export const saveWrongRecoveryCodes = async (tx: Query, userId: string, wrong: WrongCodes): Promise<void> => {
  const { failures, failedAt } = wrong
  await tx.updateTable('recoveryCodes').set({ failures, failedAt }).where('userId', '=', userId).execute()
}

export const deleteRecoveryCode = async (tx: Query, userId: string): Promise<void> => {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
}
