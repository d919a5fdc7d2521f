import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { silentLog } from '../../../../test/silent-log.ts'
import { fastestFolder, makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { DatabaseUnavailable } from '../../../ports/database/database.ts'
import { attachEmbedded } from './attach.ts'
import { lockFolder } from './folder-lock.ts'
import { launchEmbedded } from './launcher.ts'
import { prepareSocketFolder } from './socket-folder.ts'

const launch = (dataDir: string) => launchEmbedded({ dataDir, durable: false, log: silentLog })
const attach = (dataDir: string, patienceMs = 20_000) =>
  attachEmbedded({ dataDir, applicationName: 'test', maxConnections: 1, log: silentLog, patienceMs })

describe('attaching to the database of a running server', () => {
  test('finds it by the data folder while it runs, even if its socket is elsewhere', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    for (const dataDir of [join(folder.path, 'data'), join(folder.path, 'very '.repeat(20), 'deep')]) {
      assert.equal(await attach(dataDir), undefined)
      {
        await using running = await launch(dataDir)
        {
          await using database = await attach(dataDir)
          assert.ok(database)
          const { rows } = await sql`select current_setting('data_directory') as folder`.execute(
            database.query,
          )
          assert.deepEqual(rows, [{ folder: join(dataDir, 'postgres') }])
        }
        assert.ok(running.pid, 'letting go does not stop it')
      }
      assert.equal(await attach(dataDir), undefined)
    }
  })

  test('waits for a database that is starting, but only up to a limit', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    const starting = join(folder.path, 'starting')
    const launching = launch(starting)
    let attached = await attach(starting)
    while (attached === undefined) attached = await attach(starting)
    await attached[Symbol.asyncDispose]()
    await (await launching)[Symbol.asyncDispose]()

    const stuck = join(folder.path, 'stuck')
    await mkdir(stuck)
    await using _held = await lockFolder(await prepareSocketFolder(stuck, undefined), stuck)
    await assert.rejects(attach(stuck, 300), DatabaseUnavailable)
  })

  test('creates nothing in an empty folder, and does not lock it', async () => {
    await using folder = await makeTemporaryFolder(await fastestFolder())
    assert.equal(await attach(folder.path), undefined)
    await using running = await launch(folder.path)
    assert.ok(running.pid)
  })
})
