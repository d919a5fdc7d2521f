import { Client, type ClientConfig } from 'pg'

/** What a job does every ten minutes: until then two common words are searched without it. */
export { readBlocks } from '../src/services/certificate/index.ts'

type Many = {
  readonly rows: number
  /** The company of all of them but one. Neither needs to exist. */
  readonly companyId: string
  readonly smallCompanyId: string
  /** The company that received all that are notarized. */
  readonly receiverId?: string
}

/**
 * Many certificates of a large company, and in their middle one of a small one, with their texts: one each 2.6 s from 1
 * January 2026 on. Every word has its frequency: `rolling` all, `evenly` half, `ninth` a ninth, `bridge` a tenth,
 * `thousandth` a thousandth, `rareword` one.
 */
export const fillCertificates = async (
  connection: ClientConfig,
  { rows, companyId, smallCompanyId, receiverId }: Many,
): Promise<void> => {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    // Building the indexes at the end takes a fraction of the time.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(secondaryIndexes)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await client.query(`create temporary view numbered as ${numbered(rows, { companyId, smallCompanyId })}`)
    await client.query(certificates)
    await client.query(texts)
    if (receiverId !== undefined) for (const fill of received(receiverId)) await client.query(fill)
    await client.query(`set maintenance_work_mem = '256MB'`)
    for (const { definition } of indexes) await client.query(definition)
    await client.query('vacuum analyze certificates')
    for (const table of ['certificate_texts', 'certificate_receivers', 'received_texts'])
      await client.query(`vacuum analyze ${table}`)
  } finally {
    await client.end()
  }
}

const secondaryIndexes = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename in ('certificates', 'certificate_texts', 'certificate_receivers', 'received_texts')
    and schemaname = 'public' and indexname not in (select conname from pg_constraint)`

const numbered = (rows: number, { companyId, smallCompanyId }: Omit<Many, 'rows'>): string => `
  select n, (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id,
    to_timestamp(ms / 1000.0) as at, n % 1000 = 3 as failed,
    case when n = ${rows / 2} then '${smallCompanyId}'::uuid else '${companyId}'::uuid end as company
  from generate_series(1::bigint, ${rows}) as n, lateral (select 1767225600000 + n * 2592 as ms) as time`

const certificates = `
  insert into certificates (id, company_id, identity_id, mode, state, ref_schema_url, family, hash, pdf_hash,
    transaction_id, recorded_at, summary, retained_until, created_at, updated_at)
  select id, company, md5((n % 10)::text)::uuid, 'test', case when failed then 'failed' else 'notarized' end, '',
    case when n % 1000 = 5 then 'coa' else 'en10168' end, encode(sha256(n::text::bytea), 'hex'),
    encode(sha256(('pdf' || n)::bytea), 'hex'), case when not failed then md5(n::text) end,
    case when not failed then at end,
    format('{"identifier": "MC-2026-%s", "buyerName": "Buyer %s"}', n, n % 5000), at, at, at
  from numbered`

const texts = `
  insert into certificate_texts (certificate_id, company_id, mode, words)
  select id, company, 'test', concat_ws(' ', 'mc', '2026', n, 'mc2026' || n, 'po', 400000 + n / 3, 'po' || (400000 + n / 3),
    100000 + (n * 7919) % 900000, 'hot rolled plate s355j2 n s355j2n rolling mill steelton',
    case when n % 2 = 0 then 'evenly' else 'oddly' end,
    case when n % 10 = 0 then 'bridge works' else 'ship yard kiel gmbh' end,
    case when n % 9 = 0 then 'ninth' end, case when n % 1000 = 7 then 'thousandth' end, case when n = 11 then 'rareword' end)
  from numbered order by n`

const received = (receiverId: string): readonly string[] => [
  `insert into certificate_receivers (certificate_id, company_id, mode, identity_id, family, recorded_at, number, party)
  select id, '${receiverId}', mode, identity_id, family, recorded_at, summary::json ->> 'identifier', 'Steel Mill'
  from certificates where state = 'notarized'`,
  `insert into received_texts (certificate_id, company_id, mode, words)
  select certificate_id, '${receiverId}', mode, words from certificate_texts join certificate_receivers
    using (certificate_id, mode) order by place`,
]
