import type { Mode } from '@millseal/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { KeyRevocations } from '../../../ports/database/tables.ts'

export type StoredRevocation = Selectable<KeyRevocations>

export const insertRevocation = async (tx: Query, revocation: Insertable<KeyRevocations>): Promise<void> => {
  await tx.insertInto('keyRevocations').values(revocation).execute()
}

export const saveRevoked = async (
  tx: Query,
  id: string,
  change: { readonly revokedSince: Date; readonly updatedAt: Date },
): Promise<void> => {
  await tx
    .updateTable('identities')
    .set({ ...change, status: 'revoked' })
    .where('id', '=', id)
    .execute()
}

/** Undefined if the log does not know the key. */
export const findRevocation = (query: Query, identityId: string): Promise<StoredRevocation | undefined> =>
  query.selectFrom('keyRevocations').selectAll().where('identityId', '=', identityId).executeTakeFirst()

export const markRevocationRecorded = async (query: Query, identityId: string, now: Date): Promise<void> => {
  await query
    .updateTable('keyRevocations')
    .set({ recordedAt: now })
    .where('identityId', '=', identityId)
    .where('recordedAt', 'is', null)
    .execute()
}

export const deleteRevocation = async (query: Query, identityId: string): Promise<void> => {
  await query
    .deleteFrom('keyRevocations')
    .where('identityId', '=', identityId)
    .where('recordedAt', 'is', null)
    .execute()
}

export type UnrecordedRevocation = StoredRevocation & {
  readonly mode: Mode
  readonly notarizedAt: Date | null
}

/** Oldest first. */
export const findUnrecordedRevocations = (query: Query): Promise<UnrecordedRevocation[]> =>
  query
    .selectFrom('keyRevocations')
    .innerJoin('identities', 'identities.id', 'keyRevocations.identityId')
    .selectAll('keyRevocations')
    .select(['identities.mode', 'identities.notarizedAt'])
    .where('keyRevocations.recordedAt', 'is', null)
    .orderBy('keyRevocations.createdAt')
    .execute()
