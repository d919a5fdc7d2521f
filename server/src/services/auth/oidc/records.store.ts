import type { Query } from '../../../ports/database/database.ts'

export type StoredRecord = {
  readonly idHash: Uint8Array
  readonly sealed: Uint8Array
  readonly consumedAt: Date | undefined
}

export type NewRecord = {
  readonly idHash: Uint8Array
  readonly uidHash: Uint8Array | undefined
  readonly grantHash: Uint8Array | undefined
  readonly sealed: Uint8Array
  readonly expiresAt: Date
}

type RecordTables = {
  oidc_records: {
    id_hash: Uint8Array
    uid_hash: Uint8Array | null
    grant_hash: Uint8Array | null
    sealed: Uint8Array
    consumed_at: Date | null
    expires_at: Date
  }
}

export const saveRecord = async (query: Query, record: NewRecord): Promise<void> => {
  const row = {
    uid_hash: record.uidHash ?? null,
    grant_hash: record.grantHash ?? null,
    sealed: record.sealed,
    expires_at: record.expiresAt,
  }
  await query
    .withTables<RecordTables>()
    .insertInto('oidc_records')
    .values({ id_hash: record.idHash, consumed_at: null, ...row })
    .onConflict((conflict) => conflict.column('id_hash').doUpdateSet(row))
    .execute()
}

export const findRecord = async (
  query: Query,
  by: { readonly idHash: Uint8Array } | { readonly uidHash: Uint8Array },
  now: Date,
): Promise<StoredRecord | undefined> => {
  const row = await query
    .withTables<RecordTables>()
    .selectFrom('oidc_records')
    .select(['id_hash', 'sealed', 'consumed_at'])
    .where((eb) => ('idHash' in by ? eb('id_hash', '=', by.idHash) : eb('uid_hash', '=', by.uidHash)))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { idHash: row.id_hash, sealed: row.sealed, consumedAt: row.consumed_at ?? undefined }
}

/** False when somebody else was first: of two that come at once, one is told so. */
export const consumeRecord = async (query: Query, idHash: Uint8Array, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await query
    .withTables<RecordTables>()
    .updateTable('oidc_records')
    .set({ consumed_at: now })
    .where('id_hash', '=', idHash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteRecord = async (query: Query, idHash: Uint8Array): Promise<boolean> => {
  const { numDeletedRows } = await query
    .withTables<RecordTables>()
    .deleteFrom('oidc_records')
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deleteRecordsOfGrant = async (query: Query, grantHash: Uint8Array): Promise<void> => {
  await query
    .withTables<RecordTables>()
    .deleteFrom('oidc_records')
    .where('grant_hash', '=', grantHash)
    .execute()
}

export const deleteExpiredRecords = async (query: Query, now: Date): Promise<void> => {
  await query.withTables<RecordTables>().deleteFrom('oidc_records').where('expires_at', '<=', now).execute()
}
