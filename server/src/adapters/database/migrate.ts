import { Client, type ClientConfig } from 'pg'
import { type Migration, readMigrations } from './migration-files.ts'
import type { DatabaseLog } from './postgres.ts'
import { DatabaseRefused } from './refused.ts'
import { asUnavailable } from './unavailable.ts'

export interface MigrateOptions {
  /** `connection` of an open database. */
  readonly connection: ClientConfig
  readonly log: DatabaseLog
  /** Default: the migrations of this release. */
  readonly folder?: string
  /** Cancels the wait for another migrating process, or the migration in progress. */
  readonly signal?: AbortSignal
}

/** Must differ from all other advisory locks in this database. */
const advisoryLock = 6_155_727_325
const oldestVersion = 15

/**
 * Updates the database to the schema of this release. Each migration is a separate transaction and runs once, even if several
 * processes start together: the others wait. Resolves with the names of the migrations that this call ran.
 * Rejects with `DatabaseRefused`, without running anything, if the database does not match the files.
 */
export async function migrate({ connection, log, folder, signal }: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(folder)
  // A connection of its own: it has no statement timeout, and closing it always releases the lock.
  const client = new Client(connection)
  client.on('error', () => {})
  const abort = (): void => void client.end()
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    await client.connect()
    await assertSupported(client)
    await client.query('select pg_advisory_lock($1)', [advisoryLock])
    return await runMissing(client, migrations, log)
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    signal?.removeEventListener('abort', abort)
    await client.end()
  }
}

async function runMissing(
  client: Client,
  migrations: readonly Migration[],
  log: DatabaseLog,
): Promise<string[]> {
  await client.query(`create table if not exists migrations (
    number int primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`)
  const applied = await client.query<AppliedMigration>(
    'select number, name, checksum from migrations order by number',
  )
  assertHistory(applied.rows, migrations)
  const missing = migrations.slice(applied.rows.length)
  const startedAt = performance.now()
  for (const migration of missing) {
    const ms = await run(client, migration)
    if (applied.rows.length > 0) log.info({ migration: migration.name, ms }, 'migrated the database')
  }
  // A new database needs dozens, and a reader of the log none of their names.
  if (applied.rows.length === 0)
    log.info({ migrations: missing.length, ms: since(startedAt) }, 'created the tables')
  return missing.map(({ name }) => name)
}

interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

function assertHistory(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const migration = migrations[index]
    if (number !== index + 1)
      throw new DatabaseRefused(
        `The database lacks migration ${index + 1} but has ${name}: restore it from a backup`,
      )
    if (migration === undefined)
      throw new DatabaseRefused(
        `The database is newer than this release (it has migration ${name}): run a newer release`,
      )
    if (migration.checksum !== checksum) {
      throw new DatabaseRefused(
        `Migration ${migration.name} was changed after it ran as ${name}: restore the file and put the change into a new migration`,
      )
    }
  }
}

const since = (startedAt: number): number => Math.round(performance.now() - startedAt)

/** Resolves with how many milliseconds it took. */
async function run(client: Client, { number, name, sql, checksum }: Migration): Promise<number> {
  const startedAt = performance.now()
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => {})
    const unavailable = asUnavailable(cause)
    if (unavailable !== cause || !(cause instanceof Error)) throw unavailable
    throw new Error(`Migration ${name} failed and was rolled back: ${cause.message}`, { cause })
  }
  return since(startedAt)
}

async function assertSupported(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
  )
  const { version = '', encoding = '' } = rows[0] ?? {}
  if (!(Number.parseInt(version, 10) >= oldestVersion))
    throw new DatabaseRefused(
      `The database is PostgreSQL ${version}, but the oldest supported version is ${oldestVersion}: upgrade it`,
    )
  if (encoding !== 'UTF8')
    throw new DatabaseRefused(
      `The database has the encoding ${encoding}, but Millseal needs UTF8: create it with template template0 encoding 'UTF8'`,
    )
}
