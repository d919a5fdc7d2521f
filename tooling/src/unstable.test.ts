import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addDebts, assertNoDebts, readDebts, recordDebts } from './unstable.ts'

const flaky = { file: 'a.test.ts', tests: ['a.test.ts › waits'] }

test('a test that was unstable is counted each time, beside those that were before', () => {
  const first = addDebts([], [flaky], '2026-01-01')
  const second = addDebts(first, [flaky, { file: 'b.test.ts', tests: ['b.test.ts › sleeps'] }], '2026-01-02')
  assert.deepEqual(second, [
    { file: 'a.test.ts', test: 'a.test.ts › waits', times: 2, last: '2026-01-02' },
    { file: 'b.test.ts', test: 'b.test.ts › sleeps', times: 1, last: '2026-01-02' },
  ])
})

test('what was unstable three times fails every run until it is cured and its line deleted', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'millseal-unstable-'))
  t.after(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'tooling'))
  await writeFile(join(root, 'tooling/unstable.json'), '[]\n')
  assert.doesNotThrow(() => assertNoDebts(root))
  assert.deepEqual(await recordDebts(root, [flaky]), [])
  assert.throws(() => assertNoDebts(root), /before a release:\na\.test\.ts › waits/)
  assert.deepEqual(await recordDebts(root, [flaky]), [])
  const often = await recordDebts(root, [flaky])
  assert.deepEqual(often, readDebts(root))
  assert.deepEqual(await recordDebts(root, []), often)
})
