import { sql } from 'kysely'
import type { Query } from '../src/ports/database/database.ts'

type Many = {
  readonly rows: number
  /** The company of all of them but one. */
  readonly companyId: string
  readonly smallCompanyId: string
}

/** Well below the time that a statement may take on a busy machine. */
const rowsAtOnce = 5_000

/**
 * Many certificates of a large company, and in their middle one of a small one, with their texts: one each 2.6 s from 1
 * January 2026 on. Every word has its frequency: `rolling` all, `evenly` half, `bridge` a tenth, `thousandth` a
 * thousandth, `rareword` one.
 */
export const fillCertificates = async (query: Query, many: Many): Promise<void> => {
  for (let first = 1; first <= many.rows; first += rowsAtOnce)
    await query
      .transaction()
      .execute((tx) => fill(tx, many, { first, last: Math.min(first + rowsAtOnce - 1, many.rows) }))
  await sql`vacuum analyze certificates`.execute(query)
  await sql`vacuum analyze certificate_texts`.execute(query)
}

const fill = async (
  tx: Query,
  { rows, companyId, smallCompanyId }: Many,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> => {
  // The companies need not exist.
  await sql`set local session_replication_role = replica`.execute(tx)
  const numbered = sql`
    generate_series(${first}::bigint, ${last}::bigint) as n,
    lateral (select 1767225600000 + n * 2592 as ms) as at_ms,
    lateral (
      select (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id,
        to_timestamp(ms / 1000.0) as at, n % 1000 = 3 as failed,
        case when n = ${rows}::bigint / 2 then ${smallCompanyId}::uuid else ${companyId}::uuid end as company
    ) as facts`
  await sql`
    insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, pdf_hash,
      transaction_id, recorded_at, summary, retained_until, created_at, updated_at)
    select id, company, md5((n % 10)::text)::uuid, 'test', case when failed then 'failed' else 'notarized' end, '',
      case when n % 1000 = 5 then 'coa' else 'en10168' end, encode(sha256(n::text::bytea), 'hex'),
      encode(sha256(('pdf' || n)::bytea), 'hex'), case when not failed then md5(n::text) end,
      case when not failed then at end, '{}', at, at, at
    from ${numbered}`.execute(tx)
  await sql`
    insert into certificate_texts (certificate_id, company_id, mode, words)
    select id, company, 'test', concat_ws(' ', 'mc', '2026', n, 'mc2026' || n, 'po', 400000 + n / 3, 'po' || (400000 + n / 3),
      100000 + (n * 7919) % 900000, 'hot rolled plate s355j2 n s355j2n rolling mill steelton',
      case when n % 2 = 0 then 'evenly' else 'oddly' end,
      case when n % 10 = 0 then 'bridge works' else 'ship yard kiel gmbh' end,
      case when n % 1000 = 7 then 'thousandth' end, case when n = 11 then 'rareword' end)
    from ${numbered}
    order by n`.execute(tx)
}
