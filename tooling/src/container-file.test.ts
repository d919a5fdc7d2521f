import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { settingsHelp } from '../../server/src/config.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

describe('the files of deploy/', () => {
  const unknownIn = (text: string): string[] =>
    [...new Set(text.match(/\b(?:MILLSEAL|OIDC|SMTP|AMQP|OTEL)_[A-Z\d_]+/g))].filter(
      (name) => !settingsHelp().includes(`  ${name}\n`) && !settingsHelp().includes(`  ${name} (`),
    )

  test('name only settings that exist', async () => {
    const paths = globSync('deploy/**/*', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    assert.ok(paths.length > 15)
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
    assert.deepEqual(unknownIn(texts.join('\n')), [])
    assert.deepEqual(unknownIn('MILLSEAL_DATA_DIRECTORY=/data MILLSEAL_PORT=1'), ['MILLSEAL_DATA_DIRECTORY'])
  })
})

describe('the Helm chart', () => {
  const chart = 'deploy/helm/millseal'

  test('has a value for each that its templates use, and uses each', async () => {
    const templates = globSync(`${chart}/templates/*`, { cwd: root })
    assert.ok(templates.length >= 3)
    const texts = await Promise.all(templates.map(read))
    const used = (text: string): string[] =>
      [...new Set([...text.matchAll(/\.Values\.(\w+)/g)].map(([, name = '']) => name))].toSorted()
    const values = await read(`${chart}/values.yaml`)
    const given = [...values.matchAll(/^(\w+):/gm)].map(([, name = '']) => name).toSorted()
    assert.ok(given.length > 8, String(given))
    assert.deepEqual(used(texts.join('\n')), given)
    assert.notDeepEqual(used(texts.join('\n').replaceAll('extraEnv', 'moreEnv')), given)
  })
})

describe('the Containerfile', () => {
  test('starts Node with the arguments of script/server, as a user without rights, and has the command millseal', async () => {
    const file = await read('deploy/container/Containerfile')
    const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(file) ?? []
    const [args = ''] = /--disable-proto=\S+( --\S+)*/.exec(await read('script/server')) ?? []
    assert.deepEqual(JSON.parse(entrypoint), [
      '/usr/bin/node',
      ...args.split(' '),
      '/opt/millseal/server/src/main.ts',
    ])
    assert.match(file, /^USER 65532:65532$/m)
    const [, command = ''] = /'exec \/usr\/bin\/node (.*) "\$@"' >\/usr\/bin\/millseal/.exec(file) ?? []
    assert.equal(command, `${args} /opt/millseal/cli/src/main.ts`)
  })

  test('is given every workspace of the product, and the manifests of the others', async () => {
    const { workspaces } = JSON.parse(await read('package.json')) as {
      readonly workspaces: readonly string[]
    }
    const given = (await read('.dockerignore')).split('\n')
    for (const workspace of workspaces)
      assert.ok(given.includes(`!${workspace}`) || given.includes(`!${workspace}/package.json`), workspace)
    for (const { dependencies = {} } of await Promise.all(
      ['server', 'cli', 'families'].map(
        async (name) =>
          JSON.parse(await read(`${name}/package.json`)) as { dependencies?: Record<string, string> },
      ),
    ))
      for (const name of Object.keys(dependencies).filter((each) => each.startsWith('@millseal/')))
        assert.ok(given.includes(`!${name.replace('@millseal/', '')}`), name)
  })
})
