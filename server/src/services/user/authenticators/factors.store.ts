import type { Query } from '../../../ports/database/database.ts'
import type { WrongCodes } from './wrong-codes.ts'

export type StoredFactor = WrongCodes & {
  readonly id: string
  readonly name: string
  readonly sealedSecret: Uint8Array
  readonly confirmed: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
}

type FactorTables = {
  mfa_factors: {
    id: string
    user_id: string
    name: string
    sealed_secret: Uint8Array
    confirmed_at: Date | null
    last_step: number
    last_used_at: Date | null
    failures: number
    failed_at: Date | null
    created_at: Date
  }
}

export const insertFactor = async (
  tx: Query,
  factor: Pick<StoredFactor, 'id' | 'name' | 'sealedSecret'> & { userId: string },
  now: Date,
): Promise<void> => {
  await tx
    .withTables<FactorTables>()
    .insertInto('mfa_factors')
    .values({
      id: factor.id,
      user_id: factor.userId,
      name: factor.name,
      sealed_secret: factor.sealedSecret,
      confirmed_at: null,
      last_step: 0,
      last_used_at: null,
      failures: 0,
      failed_at: null,
      created_at: now,
    })
    .execute()
}

/** Newest first. What was not confirmed in time is no longer there, whether or not it was cleared away yet. */
export const findFactors = async (
  query: Query,
  userId: string,
  unconfirmedAfter: Date,
): Promise<readonly StoredFactor[]> => {
  const rows = await factorsOf(query, userId, unconfirmedAfter).orderBy('id', 'desc').execute()
  return rows.map(toFactor)
}

/** One at a time for each user: whoever asks second sees what the first one did. */
export const lockFactors = async (
  tx: Query,
  userId: string,
  unconfirmedAfter: Date,
): Promise<readonly StoredFactor[]> => {
  const rows = await factorsOf(tx, userId, unconfirmedAfter).orderBy('id').forUpdate().execute()
  return rows.map(toFactor)
}

const factorsOf = (query: Query, userId: string, unconfirmedAfter: Date) =>
  query
    .withTables<FactorTables>()
    .selectFrom('mfa_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where((row) => row.or([row('confirmed_at', 'is not', null), row('created_at', '>', unconfirmedAfter)]))

/** RFC 6238 §5.2: false when a code of this step or of a later one was accepted before. */
export const useStep = async (
  tx: Query,
  { id, step }: { id: string; step: number },
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .withTables<FactorTables>()
    .updateTable('mfa_factors')
    .set({ last_step: step, last_used_at: now })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const saveWrongCodes = async (
  tx: Query,
  id: string,
  { failures, failedAt }: { failures: number; failedAt: Date },
): Promise<void> => {
  await tx
    .withTables<FactorTables>()
    .updateTable('mfa_factors')
    .set({ failures, failed_at: failedAt })
    .where('id', '=', id)
    .execute()
}

export const markConfirmed = async (
  tx: Query,
  { id, name }: { id: string; name: string },
  now: Date,
): Promise<void> => {
  await tx
    .withTables<FactorTables>()
    .updateTable('mfa_factors')
    .set({ name, confirmed_at: now })
    .where('id', '=', id)
    .execute()
}

export const deleteFactor = async (tx: Query, id: string): Promise<void> => {
  await tx.withTables<FactorTables>().deleteFrom('mfa_factors').where('id', '=', id).execute()
}

export const deleteUnconfirmedFactors = async (query: Query, before: Date): Promise<void> => {
  await query
    .withTables<FactorTables>()
    .deleteFrom('mfa_factors')
    .where('confirmed_at', 'is', null)
    .where('created_at', '<=', before)
    .execute()
}

const toFactor = (row: FactorTables['mfa_factors']): StoredFactor => ({
  id: row.id,
  name: row.name,
  sealedSecret: row.sealed_secret,
  confirmed: row.confirmed_at !== null,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  failures: row.failures,
  failedAt: row.failed_at ?? undefined,
})
