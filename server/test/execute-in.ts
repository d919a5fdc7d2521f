import { Client } from 'pg'
import type { TestHouse } from './house.ts'

/** Statements past the service, for what only a fault or a tamperer would do to its database. */
export const executeIn = async (house: TestHouse, statements: string): Promise<void> => {
  const client = new Client({ connectionString: house.config.databaseUrl })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
