import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type NewSigningKey = {
  readonly id: string
  readonly publicJwk: string
  readonly sealedPrivateJwk: Uint8Array
}

export type StoredSigningKey = NewSigningKey & { readonly createdAt: Date }

type SigningKeyTables = {
  signing_keys: { id: string; public_jwk: string; sealed_private_jwk: Uint8Array; created_at: Date }
}

/** Newest first. */
export const findSigningKeys = async (query: Query): Promise<readonly StoredSigningKey[]> => {
  const rows = await query
    .withTables<SigningKeyTables>()
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    publicJwk: row.public_jwk,
    sealedPrivateJwk: row.sealed_private_jwk,
    createdAt: row.created_at,
  }))
}

/** Processes that start or rotate together must agree: the second one waits and finds what the first one made. */
export const lockSigningKeys = async (tx: Query): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('signing_keys'))`.execute(tx)
}

export const insertSigningKey = async (tx: Query, key: NewSigningKey, now: Date): Promise<void> => {
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

type Retirement = {
  readonly now: Date
  /** How long after its successor was made a key may still have signed something. */
  readonly inUseMs: number
  /** How long everything is good that a key signs, but for long-lived tokens, which are looked up. */
  readonly lifetimeMs: number
}

/** Deletes the keys that no token in use can have been signed with; resolves with their ids. */
export const deleteRetiredKeys = async (
  tx: Query,
  { now, inUseMs, lifetimeMs }: Retirement,
): Promise<string[]> => {
  const inUse = sql`make_interval(secs => ${inUseMs / 1_000})`
  const lifetime = sql`make_interval(secs => ${lifetimeMs / 1_000})`
  const { rows } = await sql<{ id: string }>`
    with successions as (
      select id, lead(created_at) over (order by created_at, id desc) + ${inUse} as last_use from signing_keys
    )
    delete from signing_keys k using successions s
    where k.id = s.id and s.last_use + ${lifetime} < ${now}
      and not exists (select from access_tokens t where t.issued_at <= s.last_use and t.expires_at > ${now})
    returning k.id`.execute(tx)
  return rows.map(({ id }) => id)
}
