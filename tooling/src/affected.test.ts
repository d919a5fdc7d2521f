import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findAffected } from './affected.ts'
import { git } from './git.ts'
import { plant } from './plant.ts'

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "workspaces": ["contract", "server"] }',
  'contract/package.json': '{ "name": "@millseal/contract", "exports": { ".": "./src/index.ts" } }',
  'server/package.json': '{ "name": "@millseal/server" }',
  'contract/src/index.ts': `export { a } from './a.ts'`,
  'contract/src/a.ts': 'export const a = 1',
  'contract/src/a.test.ts': `import { a } from './a.ts'`,
  'server/src/compose.ts': `import './services/user/index.ts'`,
  'server/src/journeys/day.test.ts': `import '../../test/test-server.ts'`,
  'server/src/services/user/index.ts': `export * from './names/name.ts'`,
  'server/src/services/user/names/name.ts': `import { b } from '../letters/b.ts'`,
  'server/src/services/user/names/names.test.ts': `import '../../../../test/test-server.ts'`,
  'server/src/services/user/letters/b.ts': 'export const b = 2',
  'server/src/services/user/letters/d.ts': 'export const d = 2',
  'server/src/services/user/word.test.ts': `import './names/name.ts'`,
  'server/src/services/user/page.test.ts': `readFile('letters.html')`,
  'server/src/pages/letters.html': '<p>',
  'server/test/test-server.ts': `import '../src/compose.ts'`,
}

const { root, [Symbol.dispose]: remove } = plant(files)
before(() => {
  git(root, 'add', '.')
  git(root, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'Start')
})
after(remove)

const affectedBy = async (change: () => void) => {
  change()
  try {
    return await findAffected(root, 'HEAD')
  } finally {
    git(root, 'reset', '-q', '--hard')
    git(root, 'clean', '-qfd')
  }
}

const changes: readonly [path: string, tests: readonly string[], left: number][] = [
  ['contract/src/a.ts', ['contract/src/a.test.ts'], 0],
  [
    'server/src/services/user/names/name.ts',
    ['server/src/services/user/names/names.test.ts', 'server/src/services/user/word.test.ts'],
    1,
  ],
  ['server/src/services/user/letters/b.ts', ['server/src/services/user/word.test.ts'], 2],
  ['server/src/journeys/day.test.ts', ['server/src/journeys/day.test.ts'], 0],
  ['server/src/pages/letters.html', ['server/src/services/user/page.test.ts'], 0],
  ['server/src/compose.ts', [], 2],
]

describe('the tests that a change can break', () => {
  for (const [path, tests, left] of changes) {
    test(`are those beside ${path} and those that import it, not all that start the server`, async () => {
      const affected = await affectedBy(() => writeFileSync(join(root, path), `${files[path]}\n`))
      assert.deepEqual(affected.tests, tests)
      assert.equal(affected.left, left)
      assert.deepEqual(affected.paths, [path])
    })
  }

  test('include those that import a deleted file', async () => {
    const path = 'server/src/services/user/names/name.ts'
    const affected = await affectedBy(() => rmSync(join(root, path)))
    assert.deepEqual(affected.paths, [])
    assert.ok(affected.tests.includes('server/src/services/user/word.test.ts'))
  })

  test('include a test that git does not know yet', async () => {
    const path = 'contract/src/new.test.ts'
    const affected = await affectedBy(() => writeFileSync(join(root, path), 'export {}'))
    assert.deepEqual(affected.tests.toSorted(), ['contract/src/a.test.ts', path])
  })
})
