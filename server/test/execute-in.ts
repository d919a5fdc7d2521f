import { Client } from 'pg'
import type { TestServer } from './test-server.ts'

/** Runs statements directly, to do what only a fault or an attacker would do to the database. */
export const executeIn = async (server: TestServer, statements: string): Promise<void> => {
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
