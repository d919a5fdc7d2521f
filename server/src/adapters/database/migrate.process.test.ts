import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/database.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts'
import { type Database, DatabaseUnavailable } from '../../ports/database/database.ts'
import { migrate } from './migrate.ts'
import { DatabaseRefused } from './refused.ts'

describe('migrations', () => {
  test('run once, in order, and are recorded', async () => {
    await using folder = await makeMigrations({
      '0001-one': 'create table one ()',
      '0002-two': 'alter table one add n int',
    })
    await using database = await openTestDatabase({ migrated: false })
    assert.deepEqual(await run(database, folder.path), ['0001-one', '0002-two'])
    assert.deepEqual(await run(database, folder.path), [])
    await add(folder.path, '0003-three', 'insert into one values (3); insert into one values (4);')
    assert.deepEqual(await run(database, folder.path), ['0003-three'])
    assert.deepEqual(await applied(database), ['0001-one', '0002-two', '0003-three'])
  })

  test('are a line of the log each, and a new database is one', async () => {
    const files = { '0001-one': 'create table one ()', '0002-two': 'create table two ()' }
    await using folder = await makeMigrations(files)
    await using database = await openTestDatabase({ migrated: false })
    const lines: string[] = []
    const info = (details: object, message?: string) =>
      void lines.push(`${message}: ${Object.values(details).at(0)}`)
    const log = { ...silentLog, info }
    const { connection } = database
    await migrate({ connection, folder: folder.path, log })
    await add(folder.path, '0003-three', 'create table three ()')
    await add(folder.path, '0004-four', 'create table four ()')
    await migrate({ connection, folder: folder.path, log })
    assert.deepEqual(lines, [
      'created the tables: 2',
      'migrated the database: 0003-three',
      'migrated the database: 0004-four',
    ])
  })

  test('run once when several processes start at the same time', async () => {
    await using folder = await makeMigrations({
      '0001-slow': 'select pg_sleep(0.3); create table slow (n int); insert into slow values (1);',
      '0002-next': 'insert into slow values (2);',
    })
    await using database = await openTestDatabase({ migrated: false })
    const processes = await Promise.all([1, 2, 3].map(() => runInProcess(database, folder.path)))
    assert.deepEqual(processes.flat().toSorted(), ['0001-slow', '0002-next'])
    const { rows } = await sql`select n from slow order by n`.execute(database.query)
    assert.deepEqual(rows, [{ n: 1 }, { n: 2 }])
  })

  test('are refused in a database whose encoding is not UTF8', async () => {
    await using folder = await makeMigrations({ '0001-one': 'create table one ()' })
    await using database = await openTestDatabase({ migrated: false })
    const url = new URL(database.connection.connectionString ?? '')
    const other = `${url.pathname.slice(1)}_ascii`
    await sql`create database ${sql.id(other)} template template0 encoding 'SQL_ASCII' locale 'C'`.execute(
      database.query,
    )
    try {
      url.pathname = other
      const connection = { connectionString: url.href }
      const migrated = migrate({ connection, folder: folder.path, log: silentLog })
      await assert.rejects(migrated, refusedWith(/encoding SQL_ASCII.*needs UTF8/))
    } finally {
      await sql`drop database ${sql.id(other)}`.execute(database.query)
    }
  })

  test('are rolled back if they fail, and earlier ones stay', async () => {
    await using folder = await makeMigrations({
      '0001-one': 'create table one ()',
      '0002-two': 'create table two (); select 1 / 0',
    })
    await using database = await openTestDatabase({ migrated: false })
    await assert.rejects(run(database, folder.path), /0002-two failed and was rolled back: division by zero/)
    assert.deepEqual(await applied(database), ['0001-one'])
    const { rows } = await sql`select to_regclass('two') as two`.execute(database.query)
    assert.deepEqual(rows, [{ two: null }])
  })

  test('are refused if one was changed after it ran', async () => {
    await using folder = await makeMigrations({ '0001-one': 'create table one ()' })
    await using database = await openTestDatabase({ migrated: false })
    await run(database, folder.path)
    await add(folder.path, '0001-one', 'create table one (n int)')
    await assert.rejects(run(database, folder.path), refusedWith(/0001-one was changed after it ran/))
  })

  test('are refused if the database is newer than the release', async () => {
    await using folder = await makeMigrations({
      '0001-one': 'create table one ()',
      '0002-two': 'create table two ()',
    })
    await using database = await openTestDatabase({ migrated: false })
    await run(database, folder.path)
    await rm(join(folder.path, '0002-two.sql'))
    await assert.rejects(
      run(database, folder.path),
      refusedWith(/newer than this release \(it has migration 0002-two\)/),
    )
  })

  test('are refused if a number is missing, duplicated or malformed', async () => {
    await using folder = await makeMigrations({ '0001-one': '', '0003-three': '' })
    await using database = await openTestDatabase({ migrated: false })
    await assert.rejects(
      run(database, folder.path),
      refusedWith(/0002 is missing: the next one found is 0003-three/),
    )
    await rename(join(folder.path, '0003-three.sql'), join(folder.path, '0001-other.sql'))
    await assert.rejects(
      run(database, folder.path),
      refusedWith(/0001-one and 0001-other have the same number/),
    )
    await rename(join(folder.path, '0001-other.sql'), join(folder.path, '2-other.sql'))
    await assert.rejects(run(database, folder.path), refusedWith(/2-other.sql must be named like/))
  })

  test('stop waiting for another process when aborted', async () => {
    await using folder = await makeMigrations({ '0001-slow': 'select pg_sleep(3600)' })
    await using database = await openTestDatabase({ migrated: false })
    const { connection } = database
    const aborted = migrate({
      connection,
      folder: folder.path,
      log: silentLog,
      signal: AbortSignal.timeout(200),
    })
    await assert.rejects(aborted, DatabaseUnavailable)
  })

  test('report an unreachable database', async () => {
    const connection = { host: '127.0.0.1', port: 1, user: 'nobody' }
    await assert.rejects(migrate({ connection, log: silentLog }), DatabaseUnavailable)
  })
})

async function makeMigrations(
  files: Record<string, string>,
): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await makeTemporaryFolder()
  for (const [name, text] of Object.entries(files)) await add(folder.path, name, text)
  return folder
}

async function add(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, `${name}.sql`), text)
}

function run({ connection }: Database, folder: string): Promise<string[]> {
  return migrate({ connection, folder, log: silentLog })
}

async function runInProcess(database: Database, folder: string): Promise<string[]> {
  const options = JSON.stringify({ connection: database.connection, folder })
  const program = `
    const { migrate } = await import(${JSON.stringify(import.meta.resolve('./migrate.ts'))})
    console.log(JSON.stringify(await migrate({ ...${options}, log: { info() {} } })))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const names: unknown = JSON.parse(stdout)
  assert.ok(Array.isArray(names))
  return names.map(String)
}

async function applied(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by number`.execute(
    database.query,
  )
  return rows.map(({ name }) => name)
}

function refusedWith(pattern: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof DatabaseRefused && pattern.test(error.message) && !error.message.includes('\n')
}
