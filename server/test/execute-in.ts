import { Client } from 'pg'
import type { TestServer } from './test-server.ts'

/** Statements past the service, for what only a fault or a tamperer would do to its database. */
export const executeIn = async (server: TestServer, statements: string): Promise<void> => {
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
