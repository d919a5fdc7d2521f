import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'

export type Grant = {
  readonly userId: string
  /** Replaces the current password and ends all sessions. */
  readonly passwordHash: string | undefined
}

export const grantOperator = async (tx: Query, { userId, passwordHash }: Grant, now: Date): Promise<void> => {
  const isReplaced = passwordHash !== undefined
  await tx
    .updateTable('users')
    .set({
      role: 'ADMIN',
      emailConfirmedAt: sql<Date>`coalesce(email_confirmed_at, ${now})`,
      passwordHash,
      sessionsValidFrom: isReplaced ? now : undefined,
      keptSessionId: isReplaced ? null : undefined,
      updatedAt: now,
    })
    .where('id', '=', userId)
    .execute()
}

export const hasUsers = async (query: Query): Promise<boolean> =>
  (await query.selectFrom('users').select('id').limit(1).execute()).length > 0
