import { type Insertable, type Selectable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { PasskeyChallenges, Passkeys } from '../../../ports/database/tables.ts'

export type StoredPasskey = Selectable<Passkeys>

/** False if the credential is stored already. */
export const insertPasskey = async (tx: Query, passkey: Insertable<Passkeys>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Newest first. */
export const findPasskeysOf = (query: Query, userId: string): Promise<readonly StoredPasskey[]> =>
  query.selectFrom('passkeys').selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()

export const findPasskey = (query: Query, credentialId: Uint8Array): Promise<StoredPasskey | undefined> =>
  query.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()

/** The counter is compared and changed under this lock, so that a copy is noticed at its first use. */
export const lockPasskey = (tx: Query, id: string): Promise<StoredPasskey | undefined> =>
  tx.selectFrom('passkeys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const saveUse = async (
  tx: Query,
  id: string,
  use: Pick<StoredPasskey, 'counter' | 'backedUp' | 'lastUsedAt'>,
): Promise<void> => {
  await tx.updateTable('passkeys').set(use).where('id', '=', id).execute()
}

/** Undefined if this user has no such passkey. */
export const deletePasskeyRow = (
  tx: Query,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<StoredPasskey | undefined> =>
  tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

type Challenge = Selectable<PasskeyChallenges>

/** Replaces the previous challenge of this session or sign-in. */
export const putChallenge = async (query: Query, challenge: Challenge): Promise<void> => {
  await query
    .insertInto('passkeyChallenges')
    .values(challenge)
    .onConflict((conflict) =>
      conflict.columns(['purpose', 'boundTo']).doUpdateSet({
        challengeHash: sql`excluded.challenge_hash`,
        expiresAt: sql`excluded.expires_at`,
      }),
    )
    .execute()
}

/** Deletes the challenge: it can be answered once. */
export const takeChallenge = (
  query: Query,
  { purpose, boundTo }: Pick<Challenge, 'purpose' | 'boundTo'>,
  now: Date,
): Promise<Challenge | undefined> =>
  query
    .deleteFrom('passkeyChallenges')
    .where('purpose', '=', purpose)
    .where('boundTo', '=', boundTo)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

export const deleteExpiredChallenges = async (query: Query, now: Date): Promise<void> => {
  await query.deleteFrom('passkeyChallenges').where('expiresAt', '<=', now).execute()
}
