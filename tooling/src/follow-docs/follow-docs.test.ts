import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readWalk, scriptOfWalk } from './walk.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The walk itself takes five minutes and a Debian: script/follow-docs. */
describe('the walk through docs/deploy.md', () => {
  test('has every command of the installation on Debian, in order', async () => {
    const blocks = await readWalk()
    assert.ok(blocks.length >= 12, String(blocks.length))
    const commands = blocks.map((block) => block.commands).join('\n')
    const places = [
      'script/bootstrap',
      'createrole',
      'add_vhost',
      'shared.env',
      'millseal@api-1',
      'nginx -t',
      'doctor',
    ].map((command) => commands.replaceAll('create role', 'createrole').indexOf(command))
    assert.ok(!places.includes(-1), String(places))
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    )
  })

  test('notices a section that nobody follows, and one without commands', async () => {
    const withMore = async (path: string) =>
      (await read(path)).replace('\n### Try it\n', '\n### More\n\n```sh\ntrue\n```\n\n### Try it\n')
    await assert.rejects(readWalk(withMore), /nobody follows the commands of More/)
    const without = async (path: string) => (await read(path)).replace('\n### Proxy\n', '\n### proxies\n')
    await assert.rejects(readWalk(without), /Proxy|proxies/)
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
  })
})
