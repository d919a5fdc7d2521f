import type { Query } from '../../../ports/database/database.ts'

export type SignIn = {
  readonly idHash: Uint8Array
  readonly returnTo: string
  /** Whether the person was to prove who they are even if the issuer knew them. */
  readonly again: boolean
  /** The session the browser had when it began, to be gone on with. */
  readonly renewedSessionId: string | undefined
  readonly vouchedUserId: string | undefined
}

type SignInTables = {
  console_sign_ins: {
    id_hash: Uint8Array
    return_to: string
    again: boolean
    renewed_session_id: string | null
    vouched_user_id: string | null
    used_at: Date | null
    expires_at: Date
  }
}

export const insertSignIn = async (
  query: Query,
  signIn: Pick<SignIn, 'idHash' | 'returnTo' | 'again' | 'renewedSessionId'> & { readonly expiresAt: Date },
): Promise<void> => {
  await query
    .withTables<SignInTables>()
    .insertInto('console_sign_ins')
    .values({
      id_hash: signIn.idHash,
      return_to: signIn.returnTo,
      again: signIn.again,
      renewed_session_id: signIn.renewedSessionId ?? null,
      vouched_user_id: null,
      used_at: null,
      expires_at: signIn.expiresAt,
    })
    .execute()
}

/** To whoever comes first, and only once: a callback that is sent again finds nothing. */
export const useSignIn = async (query: Query, idHash: Uint8Array, now: Date): Promise<SignIn | undefined> => {
  const row = await query
    .withTables<SignInTables>()
    .updateTable('console_sign_ins')
    .set({ used_at: now })
    .where('id_hash', '=', idHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toSignIn(row)
}

/** The issuer has vouched for the user, who still owes a code. */
export const saveVouchedUser = async (query: Query, idHash: Uint8Array, userId: string): Promise<void> => {
  await query
    .withTables<SignInTables>()
    .updateTable('console_sign_ins')
    .set({ vouched_user_id: userId })
    .where('id_hash', '=', idHash)
    .execute()
}

export const findVouchedSignIn = async (
  query: Query,
  idHash: Uint8Array,
  now: Date,
): Promise<(SignIn & { readonly vouchedUserId: string }) | undefined> => {
  const row = await query
    .withTables<SignInTables>()
    .selectFrom('console_sign_ins')
    .selectAll()
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined || row.vouched_user_id === null) return undefined
  return { ...toSignIn(row), vouchedUserId: row.vouched_user_id }
}

/** False when it was gone already. */
export const deleteSignIn = async (query: Query, idHash: Uint8Array): Promise<boolean> => {
  const { numDeletedRows } = await query
    .withTables<SignInTables>()
    .deleteFrom('console_sign_ins')
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deleteExpiredSignIns = async (query: Query, now: Date): Promise<void> => {
  await query
    .withTables<SignInTables>()
    .deleteFrom('console_sign_ins')
    .where('expires_at', '<=', now)
    .execute()
}

const toSignIn = (row: SignInTables['console_sign_ins']): SignIn => ({
  idHash: row.id_hash,
  returnTo: row.return_to,
  again: row.again,
  renewedSessionId: row.renewed_session_id ?? undefined,
  vouchedUserId: row.vouched_user_id ?? undefined,
})
