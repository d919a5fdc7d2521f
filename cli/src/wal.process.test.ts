import assert from 'node:assert/strict'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { millseal, settingsIn, temporaryFolder } from '../test/millseal.ts'

test('the embedded database is saved and restored by commands, and doctor says what is missing', async () => {
  await using folder = await temporaryFolder()
  const [data, restored] = [join(folder.path, 'data'), join(folder.path, 'restored')]
  const archive = { MILLSEAL_FILES: 'postgres', MILLSEAL_WAL_ARCHIVE: join(folder.path, 'archive') }
  const environment = { ...settingsIn(data), ...archive }
  assert.match((await millseal(['doctor'], { environment })).stdout, /There is no base in the folder/)
  const saved = await millseal(['wal', 'save-base'], { environment })
  assert.equal(saved.status, 0, saved.stderr)
  assert.match(saved.stdout, /Every second after 2.* can be restored/)
  assert.match((await millseal(['doctor'], { environment })).stdout, /can be restored from the folder/)

  const target = { environment: { ...settingsIn(restored), ...archive } }
  const keyless = await millseal(['wal', 'restore'], target)
  assert.deepEqual([keyless.status, /MILLSEAL_MASTER_KEY: required/.test(keyless.stderr)], [2, true])
  await mkdir(restored, { recursive: true })
  await copyFile(join(data, 'master.key'), join(restored, 'master.key'))
  const back = await millseal(['wal', 'restore'], target)
  assert.equal(back.status, 0, back.stderr)
  assert.match(back.stdout, /^Restored the base of 2/)
})

test('a time without a zone, or a number of bases that is none, is refused before anything starts', async () => {
  const environment = settingsIn('/nowhere')
  for (const to of ['yesterday', '2026-11-23', '2026-11-23T10:00:00', '2026-13-23T10:00:00Z']) {
    const { status, stderr } = await millseal(['wal', 'restore', '--to', to], { environment })
    assert.deepEqual([status, /--to: expected a time with a time zone/.test(stderr)], [2, true], to)
  }
  for (const keep of ['0', 'all', '1.5']) {
    const { status, stderr } = await millseal(['wal', 'save-base', '--keep', keep], { environment })
    assert.deepEqual([status, /--keep: expected a number/.test(stderr)], [2, true], keep)
  }
})
