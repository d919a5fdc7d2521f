import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { millseal, temporaryFolder } from '../test/millseal.ts'

describe('millseal audit', () => {
  test('archive wants a time that has passed', async () => {
    for (const time of ['soon', '2999-01-01']) {
      const { status, stderr } = await millseal(['audit', 'archive', 'audit.ndjson', '--before', time])
      assert.equal(status, 2)
      assert.match(stderr, /--before must be a time that has passed, for example 2025-01-01/)
    }
  })

  test('verify says what is wrong with a file, and where', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'audit.ndjson')
    const missing = await millseal(['audit', 'verify', path])
    assert.equal(missing.status, 1)
    assert.match(missing.stderr, /audit\.ndjson/)
    await writeFile(path, '{"format":"another"}\n')
    const { status, stderr } = await millseal(['audit', 'verify', path])
    assert.equal(status, 1)
    assert.match(stderr, /audit\.ndjson: line 1 is not the beginning of an archive/)
  })
})
