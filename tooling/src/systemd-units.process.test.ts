import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { lacksPackage } from '../../server/test/debian-package.ts'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const analyze = '/usr/bin/systemd-analyze'
const skip = await lacksPackage({ name: 'systemd', file: analyze })
/** The scale of systemd-analyze security: 0 is isolated, 10 is not at all. */
const mostExposed = 1.3

const linesOf = (unit: string): string[] => unit.split('\n')

/** The unit as it is after the installation, with the programs of this machine. */
const analyzed = async (name: string, text: string, ...args: readonly string[]) => {
  await using folder = await makeTemporaryFolder()
  const file = join(folder.path, name)
  const here = text
    .replaceAll('/opt/millseal/.runtime/bin/node', process.execPath)
    .replaceAll('/opt/millseal', root)
  await writeFile(file, here)
  return await run(analyze, [...args, file.replace('@.', '@api-1.')]).then(
    ({ stdout, stderr }) => ({ code: 0, output: `${stdout}${stderr}` }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: `${stdout}${stderr}`,
    }),
  )
}

describe('the units of systemd', { skip }, () => {
  let units: Readonly<Record<'one' | 'template' | 'node', string>>
  before(async () => {
    const read = (name: string) => readFile(join(root, 'deploy/systemd', name), 'utf8')
    units = {
      one: await read('millseal.service'),
      template: await read('millseal@.service'),
      node: await read('millseal-node.service'),
    }
  })

  test('are accepted by systemd-analyze, which reports a mistake', async () => {
    for (const [name, text] of [
      ['millseal.service', units.one],
      ['millseal@.service', units.template],
      ['millseal-node.service', units.node],
    ] as const) {
      assert.deepEqual(await analyzed(name, text, 'verify'), { code: 0, output: '' })
      const { output } = await analyzed(name, text.replace('Restart=always', 'Restart=often'), 'verify')
      assert.notEqual(output, '')
    }
  })

  test(`are exposed by at most ${mostExposed} of 10, and more without a line`, async () => {
    const threshold = `--threshold=${mostExposed * 10}`
    const security = (text: string) =>
      analyzed('millseal.service', text, 'security', '--offline=true', threshold)
    assert.equal((await security(units.one)).code, 0)
    assert.equal((await security(units.node)).code, 0)
    assert.notEqual((await security(units.one.replace('PrivateDevices=true\n', ''))).code, 0)
  })

  test('start Node with the arguments of script/server', async () => {
    const script = await readFile(join(root, 'script/server'), 'utf8')
    const [args = ''] = /--disable-proto=\S+( --\S+)*/.exec(script) ?? []
    assert.ok(args !== '')
    for (const [unit, command] of [
      [units.one, 'server/src/main.ts\n'],
      [units.template, 'server/src/main.ts\n'],
      [units.node, 'cli/src/main.ts node --name ${NAME} '],
    ] as const)
      assert.ok(unit.includes(`ExecStart=/opt/millseal/.runtime/bin/node ${args} /opt/millseal/${command}`))
  })

  test('differ only in their names and the file of their settings', () => {
    const [one, template] = [linesOf(units.one), linesOf(units.template)]
    const differing = template.filter((line) => !one.includes(line))
    assert.equal(one.filter((line) => !template.includes(line)).length, 3)
    assert.deepEqual(
      differing.map((line) => line.replace(/[=:].*/, '')),
      [
        '# One of several processes',
        '# beside those of all in /etc/millseal/shared.env.',
        'Description',
        'EnvironmentFile',
        'EnvironmentFile',
      ],
    )
  })
})
