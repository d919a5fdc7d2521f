import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { lacksMounting } from './faulty-disk.ts'
import { makeTemporaryFolder, removeAbandonedFolders } from './temporary-folder.ts'

const skip = await lacksMounting()

test('the folder of a killed test is removed, with the disk it mounted; that of a running one stays', {
  skip,
}, async () => {
  await using parent = await makeTemporaryFolder()
  const ended = spawn('true')
  await once(ended, 'exit')
  const [abandoned, used] = [ended.pid, process.pid].map((pid) => join(parent.path, `millseal-test-${pid}-a`))
  assert.ok(abandoned && used)
  const disk = join(abandoned, 'disk')
  await mkdir(disk, { recursive: true })
  await mkdir(used)
  await promisify(execFile)('mount', ['-t', 'tmpfs', 'tmpfs', disk])
  await removeAbandonedFolders(parent.path)
  assert.deepEqual([abandoned, used].map(existsSync), [false, true])
})
