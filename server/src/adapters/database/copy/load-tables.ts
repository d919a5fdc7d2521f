import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import { DatabaseRefused } from '../refused.ts'
import { asUnavailable } from '../unavailable.ts'
import type { SavedDatabase, TableRows } from './save-tables.ts'
import { nameOf, type SavedTable } from './tables.ts'

const batchRows = 64

/**
 * Loads all tables in one transaction into a database that has the schema but no data. Foreign keys are dropped first and
 * added again at the end, which checks every row. Resolves with the number of rows in each table.
 */
export const loadTables = async (
  connection: ClientConfig,
  { tables, sequences }: SavedDatabase,
  saved: AsyncIterable<TableRows>,
): Promise<ReadonlyMap<string, number>> => {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin')
    const foreignKeys = await dropForeignKeys(client)
    const counts = new Map<string, number>()
    const known = new Map(tables.map((table) => [nameOf(table), table]))
    for await (const { table: name, rows } of saved) {
      const table = known.get(name)
      if (table !== undefined) counts.set(name, await loadTable(client, table, rows))
    }
    for (const { name, lastValue, isCalled } of sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [name, lastValue, isCalled])
    for (const { table, name, definition } of foreignKeys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    await client.query('commit')
    return counts
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end()
  }
}

/** Rejects with `DatabaseRefused` unless the database contains none of our tables. */
export const assertEmpty = async (connection: ClientConfig): Promise<void> => {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ used: boolean }>(
      `select to_regclass('public.migrations') is not null or to_regnamespace('pgboss') is not null as used`,
    )
    if (rows[0]?.used === true)
      throw new DatabaseRefused('The database is already in use: restore into an empty one')
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end()
  }
}

type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string }

const dropForeignKeys = async (client: Client): Promise<readonly ForeignKey[]> => {
  const { rows } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0
      and connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows
}

const loadTable = async (
  client: Client,
  { schema, table }: SavedTable,
  rows: AsyncIterable<string>,
): Promise<number> => {
  const target = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
  const columns = await columnsOf(client, target)
  await removeSeeds(client, target)
  const insert = async (lines: readonly string[]): Promise<void> => {
    if (lines.length === 0) return
    await client.query(
      `insert into ${target} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${target}, $1::jsonb)`,
      [`[${lines.join(',')}]`],
    )
  }
  let batch: string[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchRows) continue
    await insert(batch)
    batch = []
  }
  await insert(batch)
  const { rows: counted } = await client.query<{ count: string }>(`select count(*)::text from ${target}`)
  return Number(counted[0]?.count)
}

/** Deletes the rows that migrations and the queue insert themselves. Triggers of some tables refuse every delete. */
const removeSeeds = async (client: Client, target: string): Promise<void> => {
  const { rows } = await client.query<{ any: boolean }>(`select exists (select from ${target}) as any`)
  if (rows[0]?.any === true) await client.query(`delete from ${target}`)
}

/** The columns that can be written, without generated ones. */
const columnsOf = async (client: Client, target: string): Promise<string> => {
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [target],
  )
  return rows.map(({ column }) => column).join(', ')
}
