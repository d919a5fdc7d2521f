import { sql } from 'kysely'
import type { Query } from '../src/ports/database/database.ts'

type Many = {
  readonly rows: number
  /** The company of all of them but one. */
  readonly companyId: string
  readonly smallCompanyId: string
}

/**
 * Many certificates of a large company, and in their middle one of a small one, with their texts. Every word has its
 * frequency: `rolling` all, `evenly` half, `bridge` a tenth, `thousandth` a thousandth, `rareword` one.
 */
export const fillCertificates = async (query: Query, many: Many): Promise<void> => {
  await query.transaction().execute((tx) => fill(tx, many))
  await sql`analyze certificates`.execute(query)
  await sql`analyze certificate_texts`.execute(query)
}

const fill = async (tx: Query, { rows, companyId, smallCompanyId }: Many): Promise<void> => {
  // The companies need not exist.
  await sql`set local session_replication_role = replica`.execute(tx)
  await sql`
    insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, pdf_hash,
      transaction_id, recorded_at, summary, error, retained_until, created_at, updated_at)
    select (lpad(to_hex(ms), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n = ${rows}::bigint / 2 then ${smallCompanyId}::uuid else ${companyId}::uuid end,
      md5((n % 10)::text)::uuid, 'test', case when n % 1000 = 3 then 'failed' else 'notarized' end, '', 
      case when n % 1000 = 5 then 'coa' else 'en10168' end, encode(sha256(n::text::bytea), 'hex'), encode(sha256(('pdf' || n)::bytea), 'hex'),
      case when n % 1000 <> 3 then md5(n::text) end, case when n % 1000 <> 3 then at end, '{}', null, at, at, at
    from generate_series(1::bigint, ${rows}::bigint) as n, lateral (select 1767225600000 + n * 2592 as ms) as m,
      lateral (select to_timestamp(ms / 1000.0) as at) as t`.execute(tx)
  await sql`
    insert into certificate_texts (certificate_id, company_id, mode, words)
    select id, company_id, mode, concat_ws(' ', 'mc', '2026', n, 'mc2026' || n, 'po', 400000 + n / 3, 'po' || (400000 + n / 3),
      100000 + (n * 7919) % 900000, 'hot rolled plate s355j2 n s355j2n rolling mill steelton',
      case when n % 2 = 0 then 'evenly' else 'oddly' end, case when n % 10 = 0 then 'bridge works' else 'ship yard kiel gmbh' end,
      case when n % 1000 = 7 then 'thousandth' end, case when n = 11 then 'rareword' end)
    from (select c.*, row_number() over (order by id) as n from certificates c) as numbered
    order by n`.execute(tx)
}
