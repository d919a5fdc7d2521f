import { sql } from 'kysely'
import type { Query } from '../../ports/database/database.ts'

export type StoredSigningKey = {
  readonly id: string
  readonly publicJwk: string
  readonly sealedPrivateJwk: Uint8Array
}

type SigningKeyTables = {
  signing_keys: { id: string; public_jwk: string; sealed_private_jwk: Uint8Array; created_at: Date }
}

export const findSigningKeys = async (query: Query): Promise<readonly StoredSigningKey[]> => {
  const rows = await query
    .withTables<SigningKeyTables>()
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    publicJwk: row.public_jwk,
    sealedPrivateJwk: row.sealed_private_jwk,
  }))
}

/** Processes that start together must agree on one first key: the second one waits and finds it. */
export const lockSigningKeys = async (tx: Query): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('signing_keys'))`.execute(tx)
}

export const insertSigningKey = async (tx: Query, key: StoredSigningKey, now: Date): Promise<void> => {
  await tx
    .withTables<SigningKeyTables>()
    .insertInto('signing_keys')
    .values({
      id: key.id,
      public_jwk: key.publicJwk,
      sealed_private_jwk: key.sealedPrivateJwk,
      created_at: now,
    })
    .execute()
}
