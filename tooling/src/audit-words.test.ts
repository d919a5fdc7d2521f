import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const actionsIn = (text: string): string[] =>
  [...text.matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action)

const actions = new Set(
  globSync('server/src/**/*.ts', { cwd: root })
    .filter((path) => !/\.(test|suite)\.ts$/.test(path))
    .flatMap((path) => actionsIn(read(path))),
)

describe('the console has words for every action of the audit log', () => {
  for (const language of ['en', 'de'])
    test(`in ${language}`, () => {
      assert.ok(actions.size > 60, String(actions.size))
      const path = `console/src/texts/${language}/audit.ts`
      const texts = read(path)
      const missing = (names: Iterable<string>) => [...names].filter((name) => !texts.includes(`'${name}':`))
      assert.deepEqual(missing(actions), [], `add them to \`actions\` in ${path}`)
      assert.deepEqual(missing(actionsIn("{ action: 'hooks.explode' }")), ['hooks.explode'])
    })
})
