import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { eventually, generousDeadline } from '../../../../test/eventually.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { fastestFolder, makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { readPostmasterPid, WriterProcess } from '../../../../test/writer-process.ts'
import { DatabaseUnavailable } from '../../../ports/database/database.ts'
import { openPostgres } from '../postgres.ts'
import { DatabaseRefused } from '../refused.ts'
import { findBundledBinaries } from './binaries.ts'
import { openEmbedded } from './embedded.ts'
import { type LaunchOptions, launchEmbedded } from './launcher.ts'
import { Postmaster } from './postmaster.ts'
import { choosePrivileges } from './privileges.ts'
import { serverSettings } from './settings.ts'

const open = (dataDir: string, options: Partial<LaunchOptions> = {}) =>
  openEmbedded({
    dataDir,
    durable: false,
    applicationName: 'test',
    maxConnections: 2,
    log: silentLog,
    ...options,
  })

describe('the embedded database', () => {
  test('is not reachable by other users or over the network, and never runs as root', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await using database = await open(join(folder.path, 'data'))
    const { rows } = await sql`select current_setting('listen_addresses') as addresses`.execute(
      database.query,
    )
    assert.deepEqual(rows, [{ addresses: '' }])
    assert.ok(database.pid)
    if (process.platform !== 'linux') return
    const status = await readFile(`/proc/${database.pid}/status`, 'utf8')
    if (!(await runsInUserNamespace(database.pid))) assert.doesNotMatch(status, /^Uid:.*\b0\b/m)
  })

  test('logs neither statements nor values', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await using database = await open(join(folder.path, 'data'))
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name ~ '^log_(statement|duration|min_|error_verbosity|parameter|transaction)'
        and name !~ 'sample' order by name`.execute(database.query)
    assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
      log_duration: 'off',
      log_error_verbosity: 'terse',
      log_min_duration_statement: '-1',
      log_min_error_statement: 'panic',
      // Of errors of statements, which quote values, only those that end the server.
      log_min_messages: 'log',
      log_parameter_max_length: '-1',
      log_parameter_max_length_on_error: '0',
      log_statement: 'none',
      log_statement_stats: 'off',
    })
  })

  test('stops without a warning, also if connections are left', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    const warnings: object[] = []
    const log = { ...silentLog, warn: (details: object) => void warnings.push(details) }
    const database = await open(join(folder.path, 'data'), { log })
    await using left = openPostgres({
      connection: database.connection,
      applicationName: 'left',
      maxConnections: 1,
      log: silentLog,
    })
    await sql`select 1`.execute(left.query)
    await database[Symbol.asyncDispose]()
    assert.deepEqual(warnings, [])
  })

  test('writes every commit to disk unless configured otherwise', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await using database = await open(join(folder.path, 'data'), { durable: true })
    const { rows } = await sql`
      select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name
    `.execute(database.query)
    assert.deepEqual(rows, [
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
  })

  test('works in a path that is too long for a socket and contains special characters', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    const dataDir = join(folder.path, `a "quoted", 'odd' and ${'very '.repeat(20)}deep`, 'däta')
    const database = await open(dataDir)
    await database.check(generousDeadline())
    await assert.rejects(open(dataDir), inUseBy(process.pid))
    await database[Symbol.asyncDispose]()
    const { host = '' } = database.connection
    assert.match(host, /^\/tmp\/millseal-/)
    await rm(host, { recursive: true })
  })

  test('refuses a second server on the same folder and names the process that uses it', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await using first = await WriterProcess.start({ dataDir: folder.path, writers: 0 })
    await assert.rejects(open(folder.path), inUseBy(first.pid))
    await first.kill()
    await using second = await open(folder.path)
    await second.check(generousDeadline())
  })

  test('gives the folder to exactly one of several servers that start at once', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    const starts = await Promise.allSettled(
      [1, 2, 3].map(() => launchEmbedded({ dataDir: folder.path, log: silentLog, durable: false })),
    )
    const launched = starts.filter((start) => start.status === 'fulfilled')
    for (const { value } of launched) await value[Symbol.asyncDispose]()
    assert.equal(launched.length, 1)
    for (const start of starts)
      assert.ok(start.status === 'fulfilled' || start.reason instanceof DatabaseRefused)
  })

  test('stops with its server, however the server ends', { skip: process.platform !== 'linux' }, async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await using server = await WriterProcess.start({ dataDir: folder.path, writers: 0 })
    const postmaster = await readPostmasterPid(folder.path)
    await server.kill()
    await untilGone(postmaster)
  })

  test('stops a database that was left running, and starts', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await using orphan = await startOrphan(folder.path)
    await using database = await open(folder.path)
    await database.check(generousDeadline())
    await orphan.ended
  })

  test('starts even if postmaster.pid names an unrelated process', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await (await open(folder.path))[Symbol.asyncDispose]()
    const cluster = join(folder.path, 'postgres')
    await writeFile(
      join(cluster, 'postmaster.pid'),
      `${process.ppid}\n${cluster}\n1700000000\n5432\n\n\n  1 1\nready\n`,
    )
    await using database = await open(folder.path)
    await database.check(generousDeadline())
  })

  test('deletes an incomplete database of an earlier start', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    const half = join(folder.path, 'postgres.new-0badcafe')
    await mkdir(half)
    await writeFile(join(half, 'PG_VERSION'), '18\n')
    await using database = await open(folder.path)
    await database.check(generousDeadline())
    assert.deepEqual(
      (await readdir(folder.path)).filter((name) => name.startsWith('postgres')),
      ['postgres'],
    )
  })

  test('refuses the folder of another major version and names both', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    await mkdir(join(folder.path, 'postgres'))
    await writeFile(join(folder.path, 'postgres', 'PG_VERSION'), '12\n')
    await assert.rejects(open(folder.path), (error) => {
      assert.ok(error instanceof DatabaseRefused)
      assert.match(error.message, /^[^\n]*PostgreSQL 12[^\n]*PostgreSQL 18[^\n]*$/)
      return true
    })
  })

  test('is not restarted after too many stops, which is logged, and starts at the next attempt', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    const givenUp = Promise.withResolvers<Error>()
    const database = await open(folder.path, { restartsPerMinute: 2, onGivenUp: givenUp.resolve })
    for (let kill = 0; kill < 3; kill++) {
      const pid = await eventually(() => database.pid)
      process.kill(pid, 'SIGKILL')
      await untilGone(pid)
    }
    assert.match((await givenUp.promise).message, /again and again/)
    await assert.rejects(database.check(generousDeadline()), DatabaseUnavailable)
    await database[Symbol.asyncDispose]()
    await using again = await open(folder.path)
    await again.check(generousDeadline())
  })

  for (const [kind, user] of [
    ['an ordinary user', 65_534],
    ['a user without a name', 54_321],
  ] as const) {
    test(`runs as ${kind}, and as root after the folder was moved`, async (t) => {
      if (process.getuid?.() !== 0) return t.skip('only root can change users')
      if (!(await reachesThisCheckout(user))) return t.skip('other users cannot reach this checkout')
      await using folder = await makeTemporaryFolder(await fastestFolder())
      await chown(folder.path, user, user)
      await using writer = await WriterProcess.start({ dataDir: folder.path, writers: 1, user })
      await writer.untilAcknowledged(1)
      await writer.kill()
      await using database = await open(folder.path)
      await database.check(generousDeadline())
    })
  }
})

function inUseBy(pid: number): (error: unknown) => boolean {
  return (error) =>
    error instanceof DatabaseRefused &&
    error.message.includes(`process ${pid}`) &&
    !error.message.includes('\n')
}

async function reachesThisCheckout(user: number): Promise<boolean> {
  const program = `await import(${JSON.stringify(import.meta.resolve('pg'))})`
  return await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    uid: user,
    gid: user,
  }).then(
    () => true,
    () => false,
  )
}

/** Simulates a server that died on a system where the database does not notice. */
async function startOrphan(dataDir: string): Promise<Postmaster & AsyncDisposable> {
  await (await open(dataDir))[Symbol.asyncDispose]()
  const privileges = await choosePrivileges(await findBundledBinaries(dataDir))
  const place = { folder: join(dataDir, 'postgres'), socketFolder: join(dataDir, 'socket') }
  const settings = serverSettings({ ...place, durable: false })
  const postmaster = await Postmaster.start({ ...place, privileges, settings, log: silentLog })
  return Object.assign(postmaster, { [Symbol.asyncDispose]: () => postmaster.stop() })
}

async function runsInUserNamespace(pid: number): Promise<boolean> {
  return !/^\s*0\s+0\s+4294967295$/m.test(await readFile(`/proc/${pid}/uid_map`, 'utf8'))
}

async function untilGone(pid: number): Promise<void> {
  await eventually(() => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })
}
