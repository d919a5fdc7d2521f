import { Client } from 'pg'
import type { Files } from '../../../server/src/ports/files/files.ts'
import type { Installation } from './installation.ts'

/** Bytes by what takes them. */
export type Sizes = ReadonlyMap<string, number>

/** Of all tables with their indexes, apart from long values, of the whole database, and of the log. */
export const measureSizes = async ({ openDatabase, files }: Installation): Promise<Sizes> => {
  await using database = await openDatabase()
  const client = new Client(database.connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; bytes: string }>(`
      with tables as (
        select relname as name, pg_total_relation_size(oid) as bytes,
          case reltoastrelid when 0 then 0 else pg_total_relation_size(reltoastrelid) end as long
        from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss'))
      select name, bytes - long as bytes from tables
      union all select name || ', long values', long from tables
      union all select 'database', pg_database_size(current_database())`)
    const tables = rows.map(({ name, bytes }) => [name, Number(bytes)] as const)
    return new Map([...tables, ['log', await sizeOf(files.within('ledger').within('test'))]])
  } finally {
    await client.end()
  }
}

const sizeOf = async (files: Files): Promise<number> => {
  let bytes = 0
  for (const name of await files.list()) bytes += (await files.size(name)) ?? 0
  return bytes
}
