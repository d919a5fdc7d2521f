import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Database } from '../src/ports/database/database.ts'

/** Events of a company that wait to be published and dispatched. */
export const plantEvents = async (
  { query }: Database,
  {
    companyId,
    count,
    mode = 'live',
  }: { readonly companyId: string; readonly count: number; readonly mode?: Mode },
): Promise<void> => {
  await sql`
    insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at)
    select gen_random_uuid(), 'company', ${companyId}::uuid, ${mode}, 'companies', 'update_one',
      convert_to(repeat('x', 1500), 'UTF8'), now()
    from generate_series(1, ${count}::int)`.execute(query)
}

/** Copies of a certificate that wait to be notarized, with other hashes, which is all that the ledger compares. */
export const plantCertificates = async (
  { query }: Database,
  { like, count }: { readonly like: string; readonly count: number },
): Promise<void> => {
  await sql`
    insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, summary, body,
      retained_until, next_attempt_at, accepted_by, created_at, updated_at)
    select gen_random_uuid(), company_id, identity_id, mode, 'accepted', ref_schema_url, family,
      encode(sha256(n::text::bytea), 'hex'), summary, body, retained_until, now(), accepted_by, now(), now()
    from certificates, generate_series(1, ${count}::int) as n where id = ${like}::uuid`.execute(query)
}

export const countUnpublished = async ({ query }: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from outbox where published_at is null`.execute(query)
  return rows[0]?.count ?? 0
}
