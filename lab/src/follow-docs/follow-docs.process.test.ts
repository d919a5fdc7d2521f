import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readWalk, scriptOfWalk } from './walk.ts'
import { walks } from './walks.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** Where these are in a text, in the order given. Fails if one is missing, or in another order. */
const assertInOrder = (text: string, parts: readonly string[]): void => {
  const places = parts.map((part) => text.indexOf(part))
  assert.ok(!places.includes(-1), String(places))
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
}

/** The walks themselves take five to ten minutes and a Debian: script/follow-docs. */
describe('the walks through docs/deploy.md', () => {
  test('have every command of the installation on Debian, in order', async () => {
    const stages = await readWalk(walks.debian)
    assert.ok(stages.length >= 12, String(stages.length))
    const script = scriptOfWalk(stages).replaceAll('create role', 'createrole')
    const commands = [
      'script/bootstrap',
      'createrole',
      'add_vhost',
      'shared.env',
      'millseal@api-1',
      'nginx -t',
    ]
    assertInOrder(script, [...commands, 'doctor', 'client.ts'])
  })

  test('have every command for containers, in order', async () => {
    const script = scriptOfWalk(await readWalk(walks.containers))
    assertInOrder(script, [
      'script/bootstrap',
      'images.sh',
      'docker build',
      'docker run',
      '.env',
      'compose up',
    ])
    assertInOrder(script, ['compose up', 'client.ts', '--scale', 'files move s3', 'lsattr', 'compose down'])
    assert.equal(script.match(/client\.ts/g)?.length, 4)
  })

  for (const walk of Object.values(walks))
    test(`notice a section of ${walk.part} that nobody follows, and one without commands`, async () => {
      const section = walk.steps.findLast((step) => step.page === 'docs/deploy.md')?.section ?? ''
      const changed = (replacement: string) => async (path: string) =>
        (await read(path)).replace(`\n### ${section}\n`, () => replacement)
      const more = changed(`\n### More\n\n\`\`\`sh\ntrue\n\`\`\`\n\n### ${section}\n`)
      await assert.rejects(readWalk(walk, more), /nobody follows the commands of More/)
      await assert.rejects(readWalk(walk, changed('\n### Renamed\n')), new RegExp(`${section}|Renamed`))
    })

  test('ends at the first command that fails, and names its place', async () => {
    const block = { page: 'docs/page.md', section: 'Try' }
    const blocks = [
      { ...block, line: 3, commands: 'true' },
      { ...block, line: 7, commands: 'test -e /nowhere' },
      { ...block, line: 9, commands: 'true' },
    ]
    await assert.rejects(promisify(execFile)('bash', ['-c', scriptOfWalk(blocks)]), {
      stdout: 'as on the page: docs/page.md:3 (Try)\nas on the page: docs/page.md:7 (Try)\n',
      stderr: 'failed: docs/page.md:7\n',
    })
    const used = [
      { ...block, line: 3, commands: 'folder=/', afterwards: 'cd "$folder"; test -e nowhere; true' },
    ]
    await assert.rejects(promisify(execFile)('bash', ['-c', scriptOfWalk(used)]), {
      stdout: 'as on the page: docs/page.md:3 (Try)\nafter docs/page.md:3\n',
      stderr: 'failed: after docs/page.md:3\n',
    })
  })
})
