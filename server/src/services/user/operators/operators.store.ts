import type { Role } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type OperatorTables = {
  users: {
    id: string
    password_hash: string
    role: Role
    email_confirmed_at: Date | null
    sessions_valid_from: Date | null
    kept_session_id: string | null
    updated_at: Date
  }
}

export type Grant = {
  readonly userId: string
  /** Replaces the password in force and ends the sessions it opened. */
  readonly passwordHash?: string
}

export const grantOperator = async (tx: Query, { userId, passwordHash }: Grant, now: Date): Promise<void> => {
  await tx
    .withTables<OperatorTables>()
    .updateTable('users')
    .set({
      role: 'ADMIN',
      email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, ${now})`,
      updated_at: now,
      ...(passwordHash === undefined
        ? {}
        : { password_hash: passwordHash, sessions_valid_from: now, kept_session_id: null }),
    })
    .where('id', '=', userId)
    .execute()
}

export const hasUsers = async (query: Query): Promise<boolean> =>
  (await query.withTables<OperatorTables>().selectFrom('users').select('id').limit(1).execute()).length > 0
