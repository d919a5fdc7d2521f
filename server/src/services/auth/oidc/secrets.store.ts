import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type SecretTables = { oidc_secrets: { name: string; sealed: Uint8Array; created_at: Date } }

export const findSecret = async (query: Query, name: string): Promise<Uint8Array | undefined> => {
  const row = await query
    .withTables<SecretTables>()
    .selectFrom('oidc_secrets')
    .select('sealed')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.sealed
}

/** Processes that start together must agree on one: the second one waits and finds it. */
export const lockSecrets = async (tx: Query): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('oidc_secrets'))`.execute(tx)
}

export const insertSecret = async (
  tx: Query,
  { name, sealed }: { name: string; sealed: Uint8Array },
  now: Date,
): Promise<void> => {
  await tx
    .withTables<SecretTables>()
    .insertInto('oidc_secrets')
    .values({ name, sealed, created_at: now })
    .execute()
}
