import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/glossary.md'), 'utf8')

/** The rows of each table, without its two lines of headings. */
const tables = text
  .split('\n\n')
  .filter((block) => block.startsWith('|'))
  .map((block) =>
    block
      .split('\n')
      .slice(2)
      .filter((line) => line.startsWith('|')),
  )

const termsOf = (rows: readonly string[]): readonly string[] =>
  rows.map((row) => row.split('|')[1]?.trim() ?? '')

describe('the glossary', () => {
  test('defines each term once', () => {
    const [german = [], ...others] = tables.toReversed()
    for (const terms of [termsOf(german), others.flatMap(termsOf)]) {
      assert.ok(terms.length > 20)
      assert.deepEqual(
        terms.filter((term, at) => terms.indexOf(term) !== at),
        [],
      )
    }
  })

  test('names files and folders that exist, and all services', () => {
    const paths = [...text.matchAll(/`([a-z-]+\/[a-zA-Z/.-]*)`/g)].map(([, path = '']) => path)
    // Scopes and events are written like paths.
    const named = paths.filter((path) => path !== 'resource/action')
    assert.ok(named.length > 3)
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, path))),
      [],
    )
    const services = readdirSync(join(root, 'server/src/services')).toSorted()
    const [, list = ''] = /one of the five parts of the server: ([a-z, ]+) /.exec(text) ?? []
    assert.deepEqual(list.split(', ').toSorted(), services)
  })
})
