import type { Mode } from '@millseal/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { KeyRevocations } from '../../../ports/database/tables.ts'
import { whenGiven } from '../when-given.ts'

/** Has no effect if the row exists. */
export const insertRevocation = async (tx: Query, revocation: Insertable<KeyRevocations>): Promise<void> => {
  await tx
    .insertInto('keyRevocations')
    .values(revocation)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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

/** A revocation with the identity that it concerns. */
export type StoredRevocation = Selectable<KeyRevocations> & {
  readonly mode: Mode
  readonly companyId: string
  readonly did: string
  readonly notarizedAt: Date | null
}

const withIdentity = (query: Query) =>
  query
    .selectFrom('keyRevocations')
    .innerJoin('identities', 'identities.id', 'keyRevocations.identityId')
    .selectAll('keyRevocations')
    .select(['identities.mode', 'identities.companyId', 'identities.did', 'identities.notarizedAt'])

export const findRevocation = (query: Query, transactionId: string): Promise<StoredRevocation | undefined> =>
  withIdentity(query).where('keyRevocations.transactionId', '=', transactionId).executeTakeFirst()

/** Those that the ledger does not have yet, oldest first; of all identities if none is given. */
export const findUnrecordedRevocations = (query: Query, identityId?: string): Promise<StoredRevocation[]> =>
  withIdentity(query)
    .where('keyRevocations.recordedAt', 'is', null)
    .$call(whenGiven(identityId, (found, id) => found.where('keyRevocations.identityId', '=', id)))
    .orderBy('keyRevocations.createdAt')
    .execute()

/** Returns false if it was marked before. */
export const markRevocationRecorded = async (
  query: Query,
  { transactionId, recordedAt }: { readonly transactionId: string; readonly recordedAt: Date },
): Promise<boolean> => {
  const marked = await query
    .updateTable('keyRevocations')
    .set({ recordedAt })
    .where('transactionId', '=', transactionId)
    .where('recordedAt', 'is', null)
    .returning('transactionId')
    .executeTakeFirst()
  return marked !== undefined
}

export const deleteRevocation = async (query: Query, transactionId: string): Promise<void> => {
  await query
    .deleteFrom('keyRevocations')
    .where('transactionId', '=', transactionId)
    .where('recordedAt', 'is', null)
    .execute()
}
