import type { Insertable, Selectable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

type SignIns = DB['consoleSignIns']
export type SignIn = Selectable<SignIns>

export const insertSignIn = async (query: Query, signIn: Insertable<SignIns>): Promise<void> => {
  await query.insertInto('consoleSignIns').values(signIn).execute()
}

/** Undefined if the sign-in was used before: a callback counts once. */
export const useSignIn = (query: Query, idHash: Uint8Array, now: Date): Promise<SignIn | undefined> =>
  query
    .updateTable('consoleSignIns')
    .set({ usedAt: now })
    .where('idHash', '=', idHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Stores the user whom the issuer has identified and whose code is still missing. */
export const saveVouchedUser = async (query: Query, idHash: Uint8Array, userId: string): Promise<void> => {
  await query
    .updateTable('consoleSignIns')
    .set({ vouchedUserId: userId })
    .where('idHash', '=', idHash)
    .execute()
}

export const findVouchedSignIn = (
  query: Query,
  idHash: Uint8Array,
  now: Date,
): Promise<(SignIn & { vouchedUserId: string }) | undefined> =>
  query
    .selectFrom('consoleSignIns')
    .selectAll()
    .where('idHash', '=', idHash)
    .where('expiresAt', '>', now)
    .where('vouchedUserId', 'is not', null)
    .$narrowType<{ vouchedUserId: string }>()
    .executeTakeFirst()

/** False if it was deleted before. */
export const deleteSignIn = async (query: Query, idHash: Uint8Array): Promise<boolean> => {
  const { numDeletedRows } = await query
    .deleteFrom('consoleSignIns')
    .where('idHash', '=', idHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deleteExpiredSignIns = async (query: Query, now: Date): Promise<void> => {
  await query.deleteFrom('consoleSignIns').where('expiresAt', '<=', now).execute()
}
