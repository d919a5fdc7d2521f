import { Client, type ClientConfig } from 'pg'

/**
 * So many entries of the desk of a company, one each 2.6 s from 1 January 2026 on: one in a hundred is open, and of these one in ten
 * must not be accepted. There are 200 suppliers, and every word has its frequency: `rolling` all, `bridge` a tenth, `rareword` one.
 */
export const fillInbox = async (
  connection: ClientConfig,
  { rows, companyId }: { readonly rows: number; readonly companyId: string },
): Promise<void> => {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    // Building the indexes at the end takes a fraction of the time.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'inbox' and schemaname = 'public' and indexname not in (select conname from pg_constraint)`)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await client.query(entries(rows, companyId))
    await client.query(`set maintenance_work_mem = '256MB'`)
    for (const { definition } of indexes) await client.query(definition)
    await client.query('vacuum analyze inbox')
  } finally {
    await client.end()
  }
}

const entries = (rows: number, companyId: string): string => `
  insert into inbox (id, company_id, mode, source, file_name, file_hash, hash, summary, number, supplier, heats, words, state,
    advice, verdict, asked_at, created_at, order_key, item_key, amounts)
  select (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, '${companyId}'::uuid, 'test', 'filed',
    'mc-' || n || '.json', encode(sha256(n::text::bytea), 'hex'), encode(sha256(('json' || n)::bytea), 'hex'), '{}',
    'mc-2026-' || n, 'mill ' || n % 200, array['h-' || n / 2, 'h-' || n],
    'rolling mill ' || n % 200 || ' mc 2026 ' || n || ' po ' || n / 10 || case when n % 10 = 0 then ' bridge' else '' end
      || case when n = ${Math.round(rows / 2)} then ' rareword' else '' end,
    case when n % 100 = 7 then 'new' when n % 100 = 8 then 'rejected' else 'accepted' end,
    case when n % 1000 = 7 then 'doNotAccept' else 'meetsEverything' end, 'test', to_timestamp(ms / 1000.0),
    to_timestamp(ms / 1000.0), 'po-' || n / 10, n % 10, '[{"of":"pieces","value":"4"}]'
  from generate_series(1::bigint, ${rows}) as n, lateral (select 1767225600000 + n * 2592 as ms) as time`
