import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import { asUnavailable } from '../unavailable.ts'
import { listTables, nameOf, readSequences, type SavedSequence, type SavedTable } from './tables.ts'

export type SavedMigration = { readonly number: number; readonly name: string; readonly checksum: string }

export type SavedDatabase = {
  readonly migrations: readonly SavedMigration[]
  readonly tables: readonly SavedTable[]
  readonly sequences: readonly SavedSequence[]
}

/** The rows of one table, each a line of JSON. All are read before the next table is asked for. */
export type TableRows = { readonly table: string; readonly rows: AsyncIterable<string> }

/** Each row may contain a PDF, so only this many are in memory at once. */
const batchRows = 64

/** A consistent snapshot of all tables while the database is in use. Returns what it was. */
export const saveTables = async function* (
  connection: ClientConfig,
): AsyncGenerator<TableRows, SavedDatabase> {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`set timezone to 'UTC'`)
    await client.query('begin transaction isolation level repeatable read, read only')
    const { rows: migrations } = await client.query<SavedMigration>(
      'select number, name, checksum from migrations order by number',
    )
    const tables: SavedTable[] = []
    for (const table of await listTables(client)) {
      const counted = { rows: 0 }
      yield { table: nameOf(table), rows: readRows(client, table, counted) }
      tables.push({ ...table, ...counted })
    }
    const sequences = await readSequences(client)
    await client.query('commit')
    return { migrations, tables, sequences }
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await client.end()
  }
}

const readRows = async function* (
  client: Client,
  { schema, table }: Omit<SavedTable, 'rows'>,
  counted: { rows: number },
): AsyncGenerator<string> {
  const source = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
  try {
    await client.query(`declare saving no scroll cursor for select to_jsonb(t)::text as row from ${source} t`)
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${batchRows} from saving`)
      if (rows.length === 0) break
      counted.rows += rows.length
      for (const { row } of rows) yield row
    }
    await client.query('close saving')
  } catch (error) {
    throw asUnavailable(error)
  }
}
