import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import { type StoredUser, toUser, type UserTables } from './users.store.ts'

/** Whoever changes an account holds it first, so that two changes never pass each other. */
export const lockUser = async (tx: Query, id: string): Promise<StoredUser | undefined> => {
  const row = await tx
    .withTables<UserTables>()
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

export type NewPassword = {
  readonly id: string
  readonly passwordHash: string
  readonly keptSessionId?: string
  /** Set by a link that was mailed to the address. */
  readonly isEmailProven?: true
}

/** Ends all sessions but for the one kept, and what they were about: an address that is not confirmed yet is forgotten. */
export const savePassword = async (
  tx: Query,
  { id, passwordHash, keptSessionId, isEmailProven }: NewPassword,
  now: Date,
): Promise<void> => {
  await tx
    .withTables<UserTables>()
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      sessions_valid_from: now,
      kept_session_id: keptSessionId ?? null,
      new_email: null,
      updated_at: now,
      ...(isEmailProven === undefined
        ? {}
        : { email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, ${now})` }),
    })
    .where('id', '=', id)
    .execute()
}

/** False when the address is somebody else's by now. */
export const saveEmail = async (
  tx: Query,
  { id, email }: Pick<StoredUser, 'id' | 'email'>,
  now: Date,
): Promise<boolean> =>
  isFree(
    tx
      .withTables<UserTables>()
      .updateTable('users')
      .set({ email, new_email: null, email_confirmed_at: now, updated_at: now })
      .where('id', '=', id)
      .execute(),
  )

export type Profile = Pick<StoredUser, 'id' | 'username' | 'onBoarded' | 'status' | 'newEmail'>

/** False when the username is somebody else's. Whoever becomes inactive is signed out for good. */
export const saveProfile = async (tx: Query, profile: Profile, now: Date): Promise<boolean> =>
  isFree(
    tx
      .withTables<UserTables>()
      .updateTable('users')
      .set({
        username: profile.username,
        on_boarded: profile.onBoarded,
        status: profile.status,
        new_email: profile.newEmail ?? null,
        updated_at: now,
        ...(profile.status === 'active' ? {} : { sessions_valid_from: now, kept_session_id: null }),
      })
      .where('id', '=', profile.id)
      .execute(),
  )

export const removeUser = async (tx: Query, id: string): Promise<void> => {
  await tx.withTables<UserTables>().deleteFrom('users').where('id', '=', id).execute()
}

/** The transaction is lost with a taken name: nothing else can be done in it. */
const isFree = async (change: Promise<unknown>): Promise<boolean> => {
  try {
    await change
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === uniqueViolation) return false
    throw error
  }
}

const uniqueViolation = '23505'
