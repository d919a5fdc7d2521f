import { rm } from 'node:fs/promises'
import { Client, escapeIdentifier } from 'pg'
import { launchEmbedded } from '../src/adapters/database/embedded/launcher.ts'
import { silentLog } from './silent-log.ts'
import { fastestFolder, makeTemporaryFolder, removeAbandonedFolders } from './temporary-folder.ts'

export interface SharedPostgres extends AsyncDisposable {
  /** Of a superuser, for `MILLSEAL_TEST_POSTGRES`. */
  readonly connectionString: string
  /** Drops what test processes that were killed left; in memory each takes 10 MB. */
  dropDatabasesOf(processId: number): Promise<void>
  stop(): Promise<void>
}

/** A PostgreSQL for tests: in a temporary folder, fast because it is not durable, deleted by `stop`. */
export async function startSharedPostgres(): Promise<SharedPostgres> {
  await using started = new AsyncDisposableStack()
  const parent = await fastestFolder()
  await removeAbandonedFolders(parent)
  const { path: dataDir } = started.use(await makeTemporaryFolder(parent))
  const { connection } = started.use(
    await launchEmbedded({
      dataDir,
      durable: false,
      log: silentLog,
      settings: { max_connections: '400', autovacuum: 'off', max_wal_size: '256MB' },
    }),
  )
  const { host = '', port = 0, user = '', database = '' } = connection
  const running = started.move()
  const stop = async (): Promise<void> => {
    await running.disposeAsync()
    // Not in the data folder when that one's path is too long for a socket.
    await rm(host, { recursive: true, force: true })
  }
  const connectionString = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  return {
    connectionString,
    dropDatabasesOf: (processId) => dropDatabases(connectionString, `test_${processId}_`),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function dropDatabases(connectionString: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows)
      await client.query(`drop database if exists ${escapeIdentifier(datname)} with (force)`)
  } finally {
    await client.end()
  }
}
