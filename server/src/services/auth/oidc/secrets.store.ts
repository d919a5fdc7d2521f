import { type Insertable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

export const findSecret = async (query: Query, name: string): Promise<Uint8Array | undefined> => {
  const row = await query
    .selectFrom('oidcSecrets')
    .select('encryptedValue')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.encryptedValue
}

/** Makes processes that start at the same time agree: the second waits and finds the secret of the first. */
export const lockSecrets = async (tx: Query): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('oidc_secrets'))`.execute(tx)
}

export const insertSecret = async (tx: Query, secret: Insertable<DB['oidcSecrets']>): Promise<void> => {
  await tx.insertInto('oidcSecrets').values(secret).execute()
}
