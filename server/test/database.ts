import { createHash, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { Client, escapeIdentifier } from 'pg'
import { migrate } from '../src/adapters/database/migrate.ts'
import { readMigrations } from '../src/adapters/database/migration-files.ts'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import type { Database } from '../src/ports/database/database.ts'
import { type SharedPostgres, startSharedPostgres } from './shared-postgres.ts'
import { generousMs } from './eventually.ts'
import { silentLog } from './silent-log.ts'

export interface TestDatabaseOptions {
  /** Default 10. */
  readonly maxConnections?: number
  /** Default true; false gives an empty database. */
  readonly migrated?: boolean
}

/**
 * A new database with all migrations, dropped when disposed. It is in the cluster of `MILLSEAL_TEST_POSTGRES`, or in one
 * that this process starts and stops after its last test, when the last database is closed.
 */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const { maxConnections = 10, migrated = true } = options
  const cluster = await findCluster()
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`
  const template = migrated ? await ensureTemplate(cluster) : 'template0'
  await administer(cluster, (client) =>
    client.query(
      `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} strategy file_copy`,
    ),
  )
  openDatabases += 1
  const connection = addressOf(cluster, name)
  const database = openPostgres({
    connection,
    applicationName: 'test',
    maxConnections,
    connectTimeoutMs: generousMs,
    log: silentLog,
  })
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await administer(cluster, (client) =>
        client.query(`drop database ${escapeIdentifier(name)} with (force)`),
      )
      openDatabases -= 1
      await stopOnceUnused()
    },
  }
}

let own: Promise<SharedPostgres> | undefined
let template: Promise<string> | undefined

let openDatabases = 0
let areTestsOver = false

// Hooks run in the order they were made, so this one comes before those of the file that close its databases.
after(() => {
  areTestsOver = true
  return stopOnceUnused()
})

async function stopOnceUnused(): Promise<void> {
  if (areTestsOver && openDatabases === 0) await (await own)?.stop()
}

async function findCluster(): Promise<string> {
  const given = process.env['MILLSEAL_TEST_POSTGRES']
  if (given !== undefined && given !== '') return given
  own ??= startSharedPostgres()
  return (await own).connectionString
}

function ensureTemplate(cluster: string): Promise<string> {
  template ??= makeTemplate(cluster)
  return template
}

/** Gets its name only when it is complete; test files in other processes wait for it. */
async function makeTemplate(cluster: string): Promise<string> {
  const checksums = (await readMigrations()).map(({ checksum }) => checksum)
  const name = `migrated_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 16)}`
  await administer(cluster, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('template'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished} template template0 strategy file_copy`)
    await migrate({ connection: { connectionString: addressOf(cluster, unfinished) }, log: silentLog })
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

async function administer(cluster: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: cluster })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function addressOf(cluster: string, database: string): string {
  const address = new URL(cluster)
  address.pathname = `/${database}`
  return address.href
}
