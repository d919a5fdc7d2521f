import type { Query } from '../../../ports/database/database.ts'
import type { WrongCodes } from './wrong-codes.ts'

export type StoredRecoveryCode = WrongCodes & { readonly codeHash: string }

type RecoveryCodeTables = {
  recovery_codes: {
    user_id: string
    code_hash: string
    failures: number
    failed_at: Date | null
    created_at: Date
  }
}

/** Takes the place of the previous one. */
export const putRecoveryCode = async (
  tx: Query,
  { userId, codeHash }: { userId: string; codeHash: string },
  now: Date,
): Promise<void> => {
  const fresh = { code_hash: codeHash, failures: 0, failed_at: null, created_at: now }
  await tx
    .withTables<RecoveryCodeTables>()
    .insertInto('recovery_codes')
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
    .execute()
}

export const hasRecoveryCode = async (query: Query, userId: string): Promise<boolean> => {
  const row = await query
    .withTables<RecoveryCodeTables>()
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

export const lockRecoveryCode = async (
  tx: Query,
  userId: string,
): Promise<StoredRecoveryCode | undefined> => {
  const row = await tx
    .withTables<RecoveryCodeTables>()
    .selectFrom('recovery_codes')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined
    ? undefined
    : { codeHash: row.code_hash, failures: row.failures, failedAt: row.failed_at ?? undefined }
}

export const saveWrongRecoveryCodes = async (
  tx: Query,
  userId: string,
  { failures, failedAt }: { failures: number; failedAt: Date },
): Promise<void> => {
  await tx
    .withTables<RecoveryCodeTables>()
    .updateTable('recovery_codes')
    .set({ failures, failed_at: failedAt })
    .where('user_id', '=', userId)
    .execute()
}

export const deleteRecoveryCode = async (tx: Query, userId: string): Promise<void> => {
  await tx
    .withTables<RecoveryCodeTables>()
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .execute()
}
