import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { camelCaseColumns } from '../src/adapters/database/camel-case-columns.ts'
import type { Database, Query } from '../src/ports/database/database.ts'
import type { DB } from '../src/ports/database/tables.ts'

/** A pool of one connection to a test database. */
export const openPoolOfOne = ({ connection }: Database, config: PoolConfig = {}): Pool => {
  const pool = new Pool({ ...connection, ...config, max: 1 })
  // The database may be dropped before its server has read the goodbye of `pool.end()`.
  pool.on('error', (error) => {
    if (!pool.ending) throw error
  })
  return pool
}

/** Adds what `query` executes to the statements, so that a test can read their plans from the pool. */
export const recordStatements = (
  database: Database,
  statements: CompiledQuery[],
): { readonly pool: Pool; readonly query: Query } => {
  const pool = openPoolOfOne(database)
  const query = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [camelCaseColumns],
    log: ({ query: statement }) => void statements.push(statement),
  })
  return { pool, query }
}
