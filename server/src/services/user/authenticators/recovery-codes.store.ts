import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { RecoveryCodeSets } from '../../../ports/database/tables.ts'
import type { WrongCodes } from './factors.store.ts'

/** Replaces the previous set. */
export const putRecoveryCodes = async (
  tx: Query,
  { userId, codeHashes }: { userId: string; codeHashes: readonly string[] },
  now: Date,
): Promise<void> => {
  await deleteRecoveryCodes(tx, userId)
  await tx.insertInto('recoveryCodeSets').values({ userId, createdAt: now }).execute()
  await tx
    .insertInto('recoveryCodes')
    .values(codeHashes.map((codeHash) => ({ userId, codeHash })))
    .execute()
}

export const countRecoveryCodes = async (query: Query, userId: string): Promise<number> => {
  const { count } = await query
    .selectFrom('recoveryCodes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export type LockedRecoveryCodes = Selectable<RecoveryCodeSets> & {
  /** The unused ones. */
  readonly codeHashes: readonly string[]
  readonly usedHashes: readonly string[]
}

/** Locks the set, so that of two uses of one code the second does not find it. */
export const lockRecoveryCodes = async (
  tx: Query,
  userId: string,
): Promise<LockedRecoveryCodes | undefined> => {
  const set = await tx
    .selectFrom('recoveryCodeSets')
    .selectAll()
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (set === undefined) return undefined
  const codes = await tx.selectFrom('recoveryCodes').select('codeHash').where('userId', '=', userId).execute()
  const used = await tx
    .selectFrom('usedRecoveryCodes')
    .select('codeHash')
    .where('userId', '=', userId)
    .execute()
  const hashesOf = (rows: typeof codes): readonly string[] => rows.map(({ codeHash }) => codeHash)
  return { ...set, codeHashes: hashesOf(codes), usedHashes: hashesOf(used) }
}

export const saveWrongRecoveryCodes = async (tx: Query, userId: string, wrong: WrongCodes): Promise<void> => {
  const { failures, failedAt } = wrong
  await tx.updateTable('recoveryCodeSets').set({ failures, failedAt }).where('userId', '=', userId).execute()
}

/** From then on it is refused, and known as used. */
export const useRecoveryCode = async (
  tx: Query,
  { userId, codeHash }: { userId: string; codeHash: string },
): Promise<void> => {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).where('codeHash', '=', codeHash).execute()
  await tx.insertInto('usedRecoveryCodes').values({ userId, codeHash }).execute()
}

export const deleteRecoveryCodes = async (tx: Query, userId: string): Promise<void> => {
  await tx.deleteFrom('recoveryCodeSets').where('userId', '=', userId).execute()
}
