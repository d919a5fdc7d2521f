import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reasonGroups, reasons } from '../../contract/src/reasons.ts'

const root = join(import.meta.dirname, '../..')

/** Codes that are put together, as in `not_sent_${heldBack}`. Those of JSON follow from the faults of the reader. */
const composed = /^(?:role|paper|type|not_sent)_/

const unused = (codes: readonly string[], sources: string): readonly string[] =>
  codes.filter((code) => !composed.test(code) && !sources.includes(`'${code}'`))

test('every reason is given somewhere, and an unused one is reported', () => {
  const paths = globSync('{server,families}/src/**/*.ts', {
    cwd: root,
    exclude: (path) => path.endsWith('.test.ts'),
  })
  assert.ok(paths.length > 500)
  const sources = paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const codes = Object.keys(reasons).filter((code) => !Object.hasOwn(reasonGroups.json, code))
  assert.deepEqual(unused(codes, sources), [])
  assert.deepEqual(unused(['what_nobody_says'], sources), ['what_nobody_says'])
})
