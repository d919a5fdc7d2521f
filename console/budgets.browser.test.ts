import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { builtSizes, type Manifest, overBudget, sizesOf } from './budgets.ts'

const manifest: Manifest = {
  'index.html': { file: 'index.js', imports: ['router'] },
  router: { file: 'router.js' },
  table: { file: 'table.js', imports: ['router'] },
  'screens/keys/keys.tsx': { file: 'keys.js', isDynamicEntry: true, imports: ['index.html', 'table'] },
  'texts/en/keys.ts': { file: 'texts.js', isDynamicEntry: true },
}
const bytes: Readonly<Record<string, number>> = {
  'index.js': 90_000,
  'router.js': 50_000,
  'table.js': 20_000,
  'keys.js': 10_000,
  'texts.js': 2_000,
}
const bytesOf = (file: string) => bytes[file] ?? 0

describe('the budgets of the console', () => {
  test('count what a screen adds to the shell, with what it imports and its texts', () => {
    assert.deepEqual(
      sizesOf(manifest, bytesOf).map(({ name, kilobytes }) => [name, kilobytes]),
      [
        ['shell', 140],
        ['screens/keys/keys.tsx', 32],
      ],
    )
    assert.deepEqual(overBudget(sizesOf(manifest, bytesOf)), [])
  })

  test('name a shell and a screen that are too large', () => {
    const tooLarge = (file: string) => bytesOf(file) * 1.2
    assert.deepEqual(overBudget(sizesOf(manifest, tooLarge)), [
      'shell: 168.0 kB of 151',
      'screens/keys/keys.tsx: 38.4 kB of 36',
    ])
  })

  test('hold for the console of this checkout', () => {
    const sizes = builtSizes(join(import.meta.dirname, '..'))
    assert.ok(sizes.length > 1)
    assert.deepEqual(overBudget(sizes), [])
  })
})
