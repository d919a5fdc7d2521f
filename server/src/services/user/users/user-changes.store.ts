import type { UpdateUser } from '@millseal/contract'
import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { StoredUser } from './users.store.ts'

/** Every change of an account locks it first, so that concurrent changes run one after the other. */
export const lockUser = (tx: Query, id: string): Promise<StoredUser | undefined> =>
  tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export type NewPassword = {
  readonly id: string
  readonly passwordHash: string
  /** Every other session ends. */
  readonly keptSessionId?: string
  /** Set if the password was set through a link mailed to the address. */
  readonly isEmailProven?: true
}

/** Also discards a new address that is not confirmed yet: a session that now ends may have entered it. */
export const savePassword = async (
  tx: Query,
  { id, passwordHash, keptSessionId, isEmailProven }: NewPassword,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({
      passwordHash,
      sessionsValidFrom: now,
      keptSessionId: keptSessionId ?? null,
      newEmail: null,
      updatedAt: now,
      emailConfirmedAt: isEmailProven && sql<Date>`coalesce(email_confirmed_at, ${now})`,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends every session that began until now, except one. */
export const saveSessionsEnd = async (
  tx: Query,
  { id, keptSessionId }: { readonly id: string; readonly keptSessionId: string },
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ sessionsValidFrom: now, keptSessionId, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** False if another user has this address by now. */
export const saveEmail = (
  tx: Query,
  { id, email }: { readonly id: string; readonly email: string },
  now: Date,
): Promise<boolean> =>
  unlessTaken(
    tx
      .updateTable('users')
      .set({ email, newEmail: null, emailConfirmedAt: now, updatedAt: now })
      .where('id', '=', id)
      .execute(),
  )

/** The columns an update can change. A new address waits in `newEmail` until it is confirmed. */
export type Profile = Pick<StoredUser, Exclude<keyof UpdateUser, 'id' | 'email'> | 'newEmail'>

/** False if another user has this username. Deactivating a user ends all sessions. */
export const saveProfile = (
  tx: Query,
  { id, profile }: { readonly id: string; readonly profile: Profile },
  now: Date,
): Promise<boolean> => {
  const isDeactivated = profile.status === 'inactive'
  return unlessTaken(
    tx
      .updateTable('users')
      .set({
        ...profile,
        sessionsValidFrom: isDeactivated ? now : undefined,
        keptSessionId: isDeactivated ? null : undefined,
        updatedAt: now,
      })
      .where('id', '=', id)
      .execute(),
  )
}

export const deleteUserRow = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

const uniqueViolation = '23505'

/** False after a unique violation. It aborts the transaction: the caller must roll back. */
const unlessTaken = async (change: Promise<unknown>): Promise<boolean> => {
  try {
    await change
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === uniqueViolation) return false
    throw error
  }
}
