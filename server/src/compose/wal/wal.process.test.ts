import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { sql } from 'kysely'
import {
  assertRestores,
  endSegment,
  isRecordedAt,
  onProgress,
  openFolder,
  recordAt,
  type Recorded,
  startLoad,
} from '../../../test/archived-database.ts'
import { eventually } from '../../../test/eventually.ts'
import { startOn } from '../../../test/installation.ts'
import { password } from '../../../test/people.ts'
import { lacksS3, startS3 } from '../../../test/s3-server.ts'
import type { Config } from '../../config.ts'
import { createLog } from '../../lib/log.ts'
import { openForCommand } from '../commands.ts'
import { openWalArchive } from './archive.ts'
import { restoreTo } from './restore-to.ts'
import { saveBase } from './save-base.ts'

const lacks = await lacksS3()

const register = async (url: string, username: string): Promise<void> => {
  await createClient({ baseUrl: url }).registerUser({
    body: { username, email: `${username}@example.com`, password },
  })
}

/** With or without a running server. */
const registeredIn = async (config: Config): Promise<string[]> => {
  await using database = await openForCommand(config, createLog('silent'))
  const { rows } = await sql<{ username: string }>`
    select username from users where username <> 'operator' order by created_at`.execute(database.query)
  return rows.map(({ username }) => username)
}

const waitingSeconds = async (url: string): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^millseal_wal_waiting_seconds (.+)$/m.exec(metrics)?.[1])
}

/** Everything before is older, and everything after it newer. */
const nextMoment = async (): Promise<Date> => {
  const before = Date.now()
  await eventually(() => Date.now() > before + 1)
  const moment = new Date(Date.now())
  await eventually(() => Date.now() > moment.getTime() + 1)
  return moment
}

describe('the archived write-ahead log', () => {
  test('restores a random moment under load: all that was acknowledged before, nothing sent after', async () => {
    await using folder = await openFolder()
    const config = folder.settingsOf('data')
    const recorded: Recorded[] = []
    let base: Date
    {
      await using running = await startOn(config)
      const load = startLoad(running.url)
      await load.reach(10)
      base = new Date((await saveBase(config, { onProgress })).stoppedAt)
      await load.reach(load.recorded.length + 60)
      await load.end()
      recorded.push(...load.recorded)
    }
    await assertRestores({ recorded, base, target: folder.settingsOf('restored') })
  })

  test('leaves the log in S3 as it is, goes on in new timelines, and removes what only older bases need', {
    skip: lacks,
  }, async () => {
    await using s3 = await startS3()
    await using folder = await openFolder()
    const inS3 = {
      ...s3.settingsOf('files'),
      MILLSEAL_FILES: 's3',
      MILLSEAL_WAL_ARCHIVE: 's3://millseal/wal',
    }
    const config = folder.settingsOf('data', inS3)
    const recorded: Recorded[] = []
    let to: Date
    {
      await using running = await startOn(config)
      await saveBase(config, { onProgress })
      recorded.push(await recordAt(running.url))
      await register(running.url, 'before')
      to = await nextMoment()
      recorded.push(await recordAt(running.url))
      await register(running.url, 'after')
    }
    const target = folder.settingsOf('restored', inS3)
    assert.deepEqual((await restoreTo(target, { to, onProgress })).problems, [])
    {
      await using restored = await startOn(target)
      for (const { id } of recorded) assert.ok(await isRecordedAt(restored.url, id))
      assert.deepEqual(await registeredIn(target), ['before'])
      await register(restored.url, 'later')
    }
    const again = folder.settingsOf('again', inS3)
    assert.deepEqual((await restoreTo(again, { onProgress })).problems, [])
    {
      await using restored = await startOn(again)
      assert.deepEqual(await registeredIn(again), ['before', 'later'])
      const saved = await saveBase(again, { onProgress, keep: 1 })
      assert.equal(saved.removedBases, 1)
      assert.ok(saved.removedSegments > 0)
      await register(restored.url, 'last')
    }
    const last = folder.settingsOf('last', inS3)
    assert.deepEqual((await restoreTo(last, { onProgress })).problems, [])
    assert.deepEqual(await registeredIn(last), ['before', 'later', 'last'])
  })

  test('restores all of its segments while the machine of the server is out of reach', async () => {
    await using folder = await openFolder()
    const config = folder.settingsOf('data')
    await using lost = await startOn(config)
    await saveBase(config, { onProgress })
    const { id } = await recordAt(lost.url)
    const segment = await endSegment(config)
    const archive = openWalArchive(config)
    await eventually(async () => (await archive.readSegment(segment)) !== undefined)
    const target = folder.settingsOf('restored')
    assert.deepEqual((await restoreTo(target, { onProgress })).problems, [])
    await using restored = await startOn(target)
    assert.ok(await isRecordedAt(restored.url, id))
  })

  test('waits in the data folder while the archive fails, and is never mixed with that of another database', async () => {
    await using folder = await openFolder()
    const config = folder.settingsOf('data')
    const archive = join(folder.path, 'archive')
    await writeFile(archive, 'a file in the way')
    {
      await using running = await startOn(config)
      await recordAt(running.url)
      await endSegment(config)
      const waiting = await eventually(async () => (await waitingSeconds(running.url)) > 0)
      assert.ok(waiting)
      await rm(archive)
      await eventually(async () => (await waitingSeconds(running.url)) === 0)
      await saveBase(config, { onProgress })
    }
    assert.deepEqual(await readdir(join(config.dataDir, 'wal')), [])

    const other = folder.settingsOf('other')
    {
      await using running = await startOn(other)
      await endSegment(other)
      await eventually(async () => (await waitingSeconds(running.url)) > 0)
    }
    assert.ok((await readdir(join(other.dataDir, 'wal'))).length > 0)
    const { problems } = await restoreTo(folder.settingsOf('restored'), { onProgress })
    assert.deepEqual(problems, [])
  })

  test('is not restored without a base, a key, an empty folder, or to a time that it does not have', async () => {
    await using folder = await openFolder()
    const config = folder.settingsOf('data')
    const target = (name: string, more = {}) => folder.settingsOf(name, more)
    const to = new Date()
    await assert.rejects(restoreTo(target('a'), { to, onProgress }), /There is no base/)
    {
      await using running = await startOn(config)
      await recordAt(running.url)
      await saveBase(config, { onProgress })
    }
    await assert.rejects(restoreTo(target('b'), { to, onProgress }), /oldest base .* choose a later time/)
    const future = new Date(Date.now() + 3_600_000)
    await assert.rejects(restoreTo(target('c'), { to: future, onProgress }), /The archive ends before/)
    await assert.rejects(restoreTo(config, { onProgress }), /is not empty/)
    const keyless = target('d', { MILLSEAL_MASTER_KEY: '' })
    await assert.rejects(restoreTo(keyless, { onProgress }), /MILLSEAL_MASTER_KEY: required/)
    const wrong = target('e', { MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'other').toString('base64') })
    assert.equal((await openWalArchive(wrong).bases()).length, 1)
    await assert.rejects(restoreTo(wrong, { onProgress }), /another master key/)
    assert.throws(() => target('f', { MILLSEAL_FILES: 'folder' }), /set MILLSEAL_FILES to postgres or s3/)
    await using _running = await startOn(target('data', { MILLSEAL_WAL_ARCHIVE: '' }))
    await assert.rejects(saveBase(config, { onProgress }), /start it with MILLSEAL_WAL_ARCHIVE/)
  })

  test('takes a segment again with the same bytes, never with others, and encrypts it', async () => {
    await using folder = await openFolder()
    const archive = openWalArchive(folder.settingsOf('data'))
    const name = '000000010000000000000001'
    const segmentOf = (system: bigint, text: string): Buffer => {
      const bytes = Buffer.alloc(2 ** 20, text)
      bytes.writeBigUInt64LE(system, 24)
      return bytes
    }
    await archive.putSegment(name, segmentOf(1n, 'one'))
    await archive.putSegment(name, segmentOf(1n, 'one'))
    await assert.rejects(archive.putSegment(name, segmentOf(1n, 'two')), /has another segment/)
    await assert.rejects(archive.putSegment(name, segmentOf(2n, 'one')), /the archive of another database/)
    assert.ok((await archive.readSegment(name))?.equals(segmentOf(1n, 'one')))
    const path = join(folder.path, 'archive/wal')
    const stored = await readFile(join(path, name))
    assert.ok(stored.length < 10_000 && !stored.includes('oneone'))
    // A segment under the name of another one.
    await writeFile(join(path, '000000010000000000000002'), stored)
    await assert.rejects(archive.readSegment('000000010000000000000002'), /changed or belongs to another/)
  })
})
