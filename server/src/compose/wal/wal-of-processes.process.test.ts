import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  assertRestores,
  endSegment,
  onProgress,
  openFolder,
  recordAt,
  type Recorded,
} from '../../../test/archived-database.ts'
import { eventually } from '../../../test/eventually.ts'
import { pidOf, type SharedServer, startShared } from '../../../test/shared-server.ts'
import { openWalArchive } from './archive.ts'
import { saveBase } from './save-base.ts'

/** New connections go to the processes in turns. A request to one that is killed has no answer. */
const record = async ({ url }: SharedServer, count: number): Promise<Recorded[]> => {
  const recorded: Recorded[] = []
  while (recorded.length < count) {
    const one = await recordAt(url).catch(() => undefined)
    if (one !== undefined) recorded.push(one)
  }
  return recorded
}

describe('the archive of one server with several processes', () => {
  test('restores a random moment, also after one of them was killed', async () => {
    await using folder = await openFolder()
    const config = folder.settingsOf('data')
    const recorded: Recorded[] = []
    let base: Date
    {
      await using server = await startShared(config.dataDir, folder.environmentOf('data'))
      recorded.push(...(await record(server, 10)))
      base = new Date((await saveBase(config, { onProgress })).stoppedAt)
      recorded.push(...(await record(server, 30)))
      process.kill(pidOf(server, 2), 'SIGKILL')
      recorded.push(...(await record(server, 30)))
      const segment = await endSegment(config)
      await eventually(async () => (await openWalArchive(config).readSegment(segment)) !== undefined)
    }
    await assertRestores({ recorded, base, target: folder.settingsOf('restored') })
  })

  test('is written by the primary process alone', async () => {
    await using folder = await openFolder()
    const config = folder.settingsOf('data')
    const archive = join(folder.path, 'archive')
    await using server = await startShared(config.dataDir, folder.environmentOf('data'))
    await rm(archive, { recursive: true, force: true })
    await writeFile(archive, 'a file in the way')
    const failures = () =>
      server.lines.filter(({ msg }) => msg.startsWith('the write-ahead log is not archived'))
    const segment = await endSegment(config)
    await eventually(() => failures().length > 0)
    await rm(archive)
    await eventually(async () => (await openWalArchive(config).readSegment(segment)) !== undefined)
    // The others log their number.
    assert.deepEqual(new Set(failures().map(({ process: number }) => number)), new Set([undefined]))
  })
})
