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
    return new Map([...tables, ...(await sizesOfLog(files.within('ledger').within('test')))])
  } finally {
    await client.end()
  }
}

/** Partial tiles are needed no longer once the full one exists. */
const sizesOfLog = async (files: Files): Promise<Sizes> => {
  const sizes = new Map([
    ['log', 0],
    ['log, partial tiles', 0],
  ])
  for (const name of await files.list()) {
    const kind = name.includes('.p/') ? 'log, partial tiles' : 'log'
    sizes.set(kind, (sizes.get(kind) ?? 0) + ((await files.size(name)) ?? 0))
  }
  return sizes
}
