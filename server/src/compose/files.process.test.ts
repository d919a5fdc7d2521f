import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { lacksS3, startS3, type TestS3 } from '../../test/s3-server.ts'
import { openInstallation, startOn } from '../../test/installation.ts'
import { verifyLogsIn } from './log-commands.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

const problemsOf = async (config: Config): Promise<readonly string[]> =>
  [...(await verifyLogsIn(config, undefined)).values()].flatMap(({ problems }) => problems)

const withoutS3 = await lacksS3()

describe('an installation and its files', () => {
  test('belong together by an id: a server with the files of another one does not start, and names both', async () => {
    await using one = await openInstallation()
    await using other = await openInstallation()
    assert.equal(await one.record(one.settingsOf('folder')), 2)
    assert.equal(await other.record(other.settingsOf('folder')), 2)
    const idOf = async ({ path }: typeof one) =>
      (await readFile(join(path, 'data/ledger/installation'), 'utf8')).trim()
    const ids = [await idOf(one), await idOf(other)]
    await rm(join(other.path, 'data/ledger'), { recursive: true })
    await cp(join(one.path, 'data/ledger'), join(other.path, 'data/ledger'), { recursive: true })
    await assert.rejects(startOn(other.settingsOf('folder')), (error: Error) =>
      ids.every((id) => error.message.includes(id)),
    )
    assert.equal(await one.record(one.settingsOf('folder')), 4)
  })

  test('are not split: a second server with a new folder does not start', async () => {
    await using installed = await openInstallation()
    await installed.record(installed.settingsOf('folder'))
    await assert.rejects(
      startOn(installed.settingsOf('folder', 'new')),
      /new\/ledger has no files of an installation.*millseal files move postgres/,
    )
    assert.equal(await installed.record(installed.settingsOf('folder')), 4)
  })

  test('of an earlier release get an id, if the log in the folder is that of the database', async () => {
    await using installed = await openInstallation()
    await installed.record(installed.settingsOf('folder'))
    await rm(join(installed.path, 'data/ledger/installation'))
    await sql`update installation set marked = false, id = ${randomUUID()}`.execute(installed.database.query)
    await assert.rejects(startOn(installed.settingsOf('folder', 'new')), /has no files of an installation/)
    await assert.rejects(
      startOn(installed.settingsOf('')),
      /MILLSEAL_FILES=folder, or .*millseal files move postgres/,
    )
    assert.equal(await installed.record(installed.settingsOf('folder')), 4)
    assert.match(
      await readFile(join(installed.path, 'data/ledger/installation'), 'utf8'),
      /^[0-9a-f-]{36}\n$/,
    )
  })
})

describe('moving the files', () => {
  test('into the database and back keeps every entry; servers on the old place do not start any more', async () => {
    await using installed = await openInstallation()
    const [folder, database] = [installed.settingsOf('folder'), installed.settingsOf('')]
    await installed.record(folder)
    const moved = await installed.move('postgres')
    assert.deepEqual([moved.isDone, moved.logs], [true, { test: 2, live: 0 }])
    await assert.rejects(startOn(folder), /are in the database, but MILLSEAL_FILES is folder/)
    assert.equal(await installed.record(database), 4)
    assert.equal((await installed.move('folder')).isDone, true)
    await assert.rejects(startOn(database), /are in the data folder, but MILLSEAL_FILES is postgres/)
    assert.equal(await installed.record(folder), 6)
    assert.deepEqual(await problemsOf(folder), [])
  })

  test('only copies beside a running server, and completes when it has stopped', async () => {
    await using installed = await openInstallation()
    const [folder, database] = [installed.settingsOf('folder'), installed.settingsOf('postgres')]
    await installed.record(folder)
    {
      await using _running = await startOn(folder)
      assert.equal((await installed.move('postgres')).isDone, false)
    }
    assert.equal(await installed.record(folder), 4)
    assert.deepEqual((await installed.move('postgres')).logs, { test: 4, live: 0 })
    assert.equal(await installed.record(database), 6)
    assert.deepEqual(await problemsOf(database), [])
  })

  test('does not use a damaged copy', async () => {
    await using installed = await openInstallation()
    await installed.record(installed.settingsOf('folder'))
    const file = join(installed.path, 'data/ledger/test/tile/entries/000.p/2')
    const bytes = await readFile(file)
    await writeFile(file, Buffer.from(bytes.toString('latin1').replace('CREATE', 'CREATX'), 'latin1'))
    await assert.rejects(installed.move('postgres'), /copy of the test log is not used/)
    await writeFile(file, bytes)
    await sql`delete from stored_files where name = 'ledger/test/tile/entries/000.p/2'`.execute(
      installed.database.query,
    )
    assert.equal((await installed.move('postgres')).isDone, true)
  })
})

describe('an installation with files in S3', { skip: withoutS3 }, () => {
  let s3: TestS3
  before(async () => {
    s3 = await startS3()
  })
  after(() => s3[Symbol.asyncDispose]())

  test('is moved there beside a running server and back, with every entry', async () => {
    await using installed = await openInstallation(s3.settingsOf('moved'))
    const [folder, bucket] = [installed.settingsOf('folder'), installed.settingsOf('s3')]
    await installed.record(folder)
    {
      await using _running = await startOn(folder)
      assert.equal((await installed.move('s3')).isDone, false)
    }
    assert.equal(await installed.record(folder), 4)
    const moved = await installed.move('s3')
    assert.deepEqual([moved.isDone, moved.logs], [true, { test: 4, live: 0 }])
    await assert.rejects(startOn(folder), /are in an S3 bucket, but MILLSEAL_FILES is folder/)
    assert.equal(await installed.record(bucket), 6)
    assert.deepEqual(await problemsOf(bucket), [])
    {
      await using _running = await startOn(bucket)
      assert.equal((await installed.move('postgres')).isDone, false)
    }
    assert.equal((await installed.move('postgres')).isDone, true)
    assert.equal(await installed.record(installed.settingsOf('postgres')), 8)
  })

  test('never shares a prefix with another one: neither a server nor a move of it uses them', async () => {
    const settings = s3.settingsOf('shared')
    const bothIds = /belongs to the installation .* belongs to the installation/
    await using one = await openInstallation(settings)
    await using started = await openInstallation(settings)
    await using moved = await openInstallation(settings)
    assert.equal(await one.record(one.settingsOf('s3')), 2)
    await assert.rejects(startOn(started.settingsOf('s3')), bothIds)
    assert.equal(await moved.record(moved.settingsOf('folder')), 2)
    await assert.rejects(moved.move('s3'), bothIds)
    assert.equal(await one.record(one.settingsOf('s3')), 4)
    assert.deepEqual(await problemsOf(one.settingsOf('s3')), [])
  })

  test('is backed up beside a running server and restored to another prefix, never over an installation', async () => {
    await using installed = await openInstallation(s3.settingsOf('saved'))
    const config = installed.settingsOf('s3')
    await installed.record(config)
    const folder = join(installed.path, 'backup')
    {
      await using _running = await startOn(config)
      assert.deepEqual((await backUp(config, { name: folder, includeKeys: false })).logs, {
        test: 2,
        live: 0,
      })
    }
    const targetOf = (name: string, s3Prefix: string): Config => ({
      ...installed.settingsOf('s3', name),
      databaseUrl: undefined,
      s3Prefix,
    })
    await assert.rejects(restore(targetOf('over', 'saved'), { name: folder }), /restore to an empty place/)
    const target = targetOf('restored', 'restored')
    assert.deepEqual((await restore(target, { name: folder })).problems, [])
    assert.equal(await installed.record(target), 4)
    assert.deepEqual(await problemsOf(target), [])
    assert.equal(await installed.record(config), 4)
  })
})
