import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { claimsOf, unproven } from './claims.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): Promise<string | undefined> =>
  readFile(join(root, file), 'utf8').catch(() => undefined)

describe('the claims of docs/security-model.md', () => {
  test('are each followed by tests that exist', async () => {
    const claims = claimsOf(await readFile(join(root, 'docs/security-model.md'), 'utf8'))
    assert.ok(claims.length >= 32, `${claims.length} claims`)
    assert.deepEqual(await unproven(claims, read), [])
  })

  test('without a test, with another file, or with a test that nobody wrote, are reported', async () => {
    const unwritten = ['what', 'nobody', 'tests'].join(' ')
    for (const cell of [
      '',
      'by design',
      `[x.test.ts](../tooling/src/claims.test.ts): “${unwritten}”`,
      '[x.test.ts](../tooling/src/missing.test.ts): “without a test”',
      '[claims.ts](../tooling/src/claims.ts): “export”',
    ]) {
      const claims = claimsOf(`| claim | test |\n|---|---|\n| It is so. | ${cell} |\n`)
      assert.equal(claims.length, 1, cell)
      assert.equal((await unproven(claims, read)).length, 1, cell)
    }
    assert.deepEqual(claimsOf('| level | what |\n|---|---|\n| L1 | nothing |\n'), [])
  })
})
