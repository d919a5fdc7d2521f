import { describeDatabase, suiteMaxConnections } from '../../ports/database/database.suite.ts'
import { generousMs } from '../../../test/eventually.ts'
import { startSeparatePostgres } from '../../../test/separate-postgres.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { openPostgres } from './postgres.ts'

describeDatabase('PostgreSQL behind an address', async () => {
  const server = await startSeparatePostgres()
  const database = openPostgres({
    connection: server.connectionString,
    applicationName: 'suite',
    maxConnections: suiteMaxConnections,
    connectTimeoutMs: generousMs,
    log: silentLog,
  })
  return {
    database,
    crash: server.crash,
    revive: server.start,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
})
