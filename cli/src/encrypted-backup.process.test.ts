import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { millseal, settingsIn, temporaryFolder } from '../test/millseal.ts'

test('an encrypted backup is refused in one line with another key, and restored with its own', async () => {
  await using folder = await temporaryFolder()
  const [backup, key, wrong] = ['monday.backup', 'key', 'wrong'].map((name) => join(folder.path, name))
  assert.ok(backup && key && wrong)
  await writeFile(key, `${'k'.repeat(32)}\n`)
  await writeFile(wrong, `${'w'.repeat(32)}\n`)
  const environment = settingsIn(join(folder.path, 'data'))
  const saved = await millseal(['backup', backup, '--key-file', key], { environment })
  assert.equal(saved.status, 0, saved.stderr)
  assert.match(saved.stderr, /^saving public\.users$/m)
  assert.equal((await readFile(backup)).toString('latin1', 0, 18), 'millseal backup 1\n')

  const restored = { environment: settingsIn(join(folder.path, 'restored')) }
  const keyless = await millseal(['restore', backup], restored)
  assert.deepEqual([keyless.status, /use --key-file/.test(keyless.stderr)], [1, true])
  const refused = await millseal(['restore', backup, '--key-file', wrong], restored)
  assert.equal(refused.status, 1)
  assert.equal(refused.stderr, `millseal: ${backup} was encrypted with another key\n`)
  const back = await millseal(['restore', backup, '--key-file', key], restored)
  assert.equal(back.status, 0, back.stderr)
  const steps = back.stderr
    .split('\n')
    .filter((line) => !/^(?:restoring \w+\.\w+|verified \d+ MiB)?$/.test(line))
  assert.deepEqual(steps, ['verifying the files of the backup', 'restoring files', 'verifying the logs'])
})
