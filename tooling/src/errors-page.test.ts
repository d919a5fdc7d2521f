import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { errors } from '../../contract/src/errors.ts'
import { reasons } from '../../contract/src/reasons.ts'
import { errorsPage } from './errors-page.ts'

test('docs/errors.md lists every code of an error and of a reason, and is up to date', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')
  for (const code of [...Object.keys(errors), ...Object.keys(reasons)])
    assert.ok(page.includes(`| \`${code}\` |`), code)
  assert.equal(page, errorsPage(), 'run script/dump')
})
