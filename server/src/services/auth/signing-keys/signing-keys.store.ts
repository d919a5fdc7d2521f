import { type Insertable, type Selectable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

export type StoredSigningKey = Selectable<DB['signingKeys']>

/** Newest first. */
export const findSigningKeys = (query: Query): Promise<readonly StoredSigningKey[]> =>
  query.selectFrom('signingKeys').selectAll().orderBy('createdAt', 'desc').orderBy('id').execute()

/** Makes processes that start or rotate at the same time agree: the second waits and finds the key of the first. */
export const lockSigningKeys = async (tx: Query): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('signing_keys'))`.execute(tx)
}

export const insertSigningKey = async (tx: Query, key: Insertable<DB['signingKeys']>): Promise<void> => {
  await tx.insertInto('signingKeys').values(key).execute()
}

type Retirement = {
  readonly now: Date
  /** How long after the creation of its successor a key may still sign. */
  readonly inUseMs: number
  /** The longest lifetime of a signed token. Long-lived tokens are looked up instead. */
  readonly lifetimeMs: number
}

/** Deletes the keys that cannot have signed any unexpired token. Returns their ids. */
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
