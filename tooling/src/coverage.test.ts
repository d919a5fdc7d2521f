import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { coverageOf, coveragePage, readTests } from './coverage.ts'

const root = join(import.meta.dirname, '../..')
const without = (covered: ReturnType<typeof coverageOf>): string[] =>
  covered
    .filter(({ tests, shared }) => tests.length + shared.length === 0)
    .map(({ operation }) => operation.id)

describe('coverage of the operations', () => {
  test('every operation is called by a test', async () => {
    const sources = await readTests(root)
    assert.ok(sources.length > 200, `only ${sources.length} tests were read`)
    assert.deepEqual(without(coverageOf(sources)), [])
  })

  test('docs/coverage.md is up to date', async () => {
    const written = await readFile(join(root, 'docs/coverage.md'), 'utf8')
    assert.equal(written, coveragePage(coverageOf(await readTests(root))), 'run script/dump')
  })

  test('an operation that no test calls is reported', () => {
    const text = `await client.readHook({ params }); fetch('/api/wallets', { method: 'POST' })`
    const covered = without(coverageOf([{ path: 'server/src/a.test.ts', text }]))
    assert.ok(!covered.includes('hooks.read') && !covered.includes('wallets.create'))
    assert.ok(covered.includes('hooks.update') && covered.includes('wallets.read'))
  })

  test('a longer path belongs to another operation, and tests of all operations do not count', () => {
    const longer = `fetch('/api/companies/countries')`
    const covered = without(coverageOf([{ path: 'server/src/a.test.ts', text: longer }]))
    assert.ok(covered.includes('companies.list') && !covered.includes('companies.list_countries'))
    const sweeping = { path: 'server/src/journeys/two-companies.test.ts', text: 'client.readMe()' }
    assert.ok(without(coverageOf([sweeping])).includes('users.read_me'))
  })
})
