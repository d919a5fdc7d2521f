import type { Selectable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

export type StoredRecord = Selectable<DB['oidcRecords']>

export const saveRecord = async (
  query: Query,
  { idHash, ...row }: Omit<StoredRecord, 'consumedAt'>,
): Promise<void> => {
  await query
    .insertInto('oidcRecords')
    .values({ idHash, ...row })
    .onConflict((conflict) => conflict.column('idHash').doUpdateSet(row))
    .execute()
}

export const findRecord = (
  query: Query,
  by: { readonly idHash: Uint8Array } | { readonly uidHash: Uint8Array },
  now: Date,
): Promise<StoredRecord | undefined> =>
  query
    .selectFrom('oidcRecords')
    .selectAll()
    .where((eb) => ('idHash' in by ? eb('idHash', '=', by.idHash) : eb('uidHash', '=', by.uidHash)))
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** False if the record was consumed before; of two concurrent calls, one gets true. */
export const consumeRecord = async (query: Query, idHash: Uint8Array, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .updateTable('oidcRecords')
    .set({ consumedAt: now })
    .where('idHash', '=', idHash)
    .where('consumedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteRecord = async (query: Query, idHash: Uint8Array): Promise<boolean> => {
  const { numDeletedRows } = await query
    .deleteFrom('oidcRecords')
    .where('idHash', '=', idHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deleteRecordsOfGrant = async (query: Query, grantHash: Uint8Array): Promise<void> => {
  await query.deleteFrom('oidcRecords').where('grantHash', '=', grantHash).execute()
}

export const deleteExpiredRecords = async (query: Query, now: Date): Promise<void> => {
  await query.deleteFrom('oidcRecords').where('expiresAt', '<=', now).execute()
}
