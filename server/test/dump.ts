import { Client, escapeIdentifier } from 'pg'
import type { TestServer } from './test-server.ts'

/** Every row of every table, including the job queue, as text by table, in one snapshot. */
export const dumpOf = async (server: Pick<TestServer, 'config'>): Promise<ReadonlyMap<string, string>> => {
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // Of a partitioned table only the partitions, or its rows would be there twice.
    const tables = await client.query<{ schema: string; name: string }>(
      `select nspname as schema, relname as name from pg_class join pg_namespace n on n.oid = relnamespace
        where relkind = 'r' and nspname !~ '^pg_' and nspname <> 'information_schema'`,
    )
    const dump = new Map<string, string>()
    for (const { schema, name } of tables.rows) {
      const { rows } = await client.query<{ line: string }>(
        `select t::text as line from ${escapeIdentifier(schema)}.${escapeIdentifier(name)} t`,
      )
      dump.set(`${schema}.${name}`, rows.map(({ line }) => line).join('\n'))
    }
    return dump
  } finally {
    await client.end()
  }
}
