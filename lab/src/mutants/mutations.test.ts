import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutationsOf } from './mutations.ts'

const root = join(import.meta.dirname, '../../..')

const mutated = (text: string): string[] =>
  mutationsOf('a.ts', text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  )

describe('planted faults', () => {
  test('are the usual mutations, one at a time', () => {
    const faults: Readonly<Record<string, readonly string[]>> = {
      'a === b': ['a !== b'],
      'a !== b': ['a === b'],
      'a < b': ['a <= b'],
      'a >= b': ['a > b'],
      'a && b || c': ['a && b && c', 'a || b || c'],
      'const a = !b': ['const a = b'],
      'const a = true': ['const a = false'],
      'await a()': ['a()'],
      "throw new Error('x')": [';'],
      'const a = () => b': ['const a = () => undefined'],
      'if (a) b()': ['if (true) b()', 'if (false) b()'],
      'function a() { return b }': ['function a() { return undefined }'],
    }
    for (const [text, expected] of Object.entries(faults))
      assert.deepEqual(mutated(text).toSorted(), [...expected].toSorted(), text)
  })

  test('do not change types, imports or a value that is undefined already', () => {
    for (const text of [
      'type A = true | false',
      'let a: true',
      "import { a } from 'b'",
      'function a() { return undefined }',
      'a + b',
    ])
      assert.deepEqual(mutated(text), [], text)
    assert.deepEqual(mutated('const a = (b as true) === c'), ['const a = (b as true) !== c'])
  })

  test('exist for every measured module, and its tests exist', () => {
    const measured = JSON.parse(readFileSync(join(root, 'lab/mutated.json'), 'utf8')) as readonly {
      readonly module: string
      readonly tests: readonly string[]
    }[]
    assert.ok(measured.length > 10)
    for (const { module, tests } of measured) {
      assert.ok(mutationsOf(module, readFileSync(join(root, module), 'utf8')).length > 0, module)
      for (const file of tests) assert.match(readFileSync(join(root, file), 'utf8'), /\btest\(/, file)
    }
  })
})
