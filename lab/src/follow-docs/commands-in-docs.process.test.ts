import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, symlink } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { nodeEnvironment } from '../../../server/test/node-environment.ts'
import { freePort } from '../../../server/test/server-process.ts'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import { type Block, scriptOf, shellBlocksOf } from './commands-in-docs.ts'

const root = join(import.meta.dirname, '../../..')

/** Pages whose commands are executed, each group in one shell, as a newcomer would. */
const walks: readonly (readonly string[])[] = [
  [
    'README.md',
    'docs/quick-start.md',
    'docs/webhooks.md',
    'docs/first-certificate.md',
    'docs/receive-and-verify.md',
    'docs/operating.md',
  ],
]

/** Pages none of whose commands are executed, and why. */
const pagesNotExecuted: Readonly<Record<string, string>> = {
  'docs/benchmarks.md': 'measuring takes minutes; bench/ has tests of its own',
  'docs/console.md': 'cli/src/tour.process.test.ts runs the command',
  'docs/cli.md': 'cli/src tests run every command with its examples',
  'docs/desk.md': 'needs a token and a delivery; services/certificate/inbox tests file the same',
  'docs/keys.md':
    'cli/src/keys.process.test.ts and journeys/master-key-rotation.server.test.ts run the command',
  'docs/layouts.md': 'a sketch with placeholders; services/certificate/looks tests do the same',
  'docs/log.md': 'cli/src/log.process.test.ts runs the command, against a log it tampers with',
  'docs/mail.md': 'a sketch with placeholders; services/pipe tests do the same by the client',
  'docs/events.md':
    'needs a token of an application; services/pipe/sequence tests ask the same, also with an EventSource',
  'docs/seal.md': 'needs a token; journeys/sealed.process.test.ts has one and does the same',
  'docs/time-stamps.md': 'needs an authority; journeys/time-stamps.process.test.ts has one and does the same',
  'docs/mqtt.md': 'needs a client of the machine; services/pipe/broker tests connect with two others',
  'docs/backup.md': 'cli tests run the drill',
}

const readPages = async (): Promise<ReadonlyMap<string, readonly Block[]>> => {
  const pages = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'))
  const paths = ['README.md', ...pages.map((name) => `docs/${name}`)]
  return new Map(
    await Promise.all(
      paths.map(
        async (path) => [path, shellBlocksOf(path, await readFile(join(root, path), 'utf8'))] as const,
      ),
    ),
  )
}

/** The server as it starts in a new folder: with an embedded database and without a mail server. */
const startIn = async (folder: string) => {
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-proto=delete', join(root, 'server/src/main.ts')], {
    cwd: folder,
    env: {
      ...nodeEnvironment(),
      MILLSEAL_PORT: String(port),
      MILLSEAL_MQTT_PORT: '0',
      MILLSEAL_MQTTS_PORT: 'off',
      MILLSEAL_VIES: 'off',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let isReady = false
  for await (const line of createInterface({ input: child.stderr })) {
    isReady ||= line.startsWith('millseal is ready')
    if (line.includes('Ctrl-C')) break
  }
  child.stderr.resume()
  assert.ok(isReady, 'the server did not start')
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const walk = async (blocks: readonly Block[]): Promise<void> => {
  await using folder = await makeTemporaryFolder()
  await using server = await startIn(folder.path)
  await symlink(join(root, 'script'), join(folder.path, 'script'))
  const script = scriptOf(blocks)
    .replaceAll('localhost:8080', `localhost:${server.port}`)
    // The receiver of webhooks.
    .replaceAll('8443', String(await freePort()))
  const shell = spawn('bash', ['-c', script], {
    cwd: folder.path,
    env: {
      ...nodeEnvironment(),
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: folder.path,
      NO_COLOR: '1',
      MILLSEAL_SERVER: `http://localhost:${server.port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complained, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'exit') as Promise<[number | null]>,
  ])
  assert.equal(code, 0, `${complained}\n${said.slice(-2_000)}`)
}

describe('the commands in README and docs', () => {
  for (const pages of walks) {
    test(`of ${pages.join(', ')} work, one after the other`, async () => {
      const all = await readPages()
      const blocks = pages.flatMap((page) => all.get(page) ?? assert.fail(`${page} is not there`))
      const executed = blocks.filter(({ notExecuted }) => notExecuted === undefined)
      assert.ok(executed.length >= 5, `only ${executed.length} blocks are executed`)
      await walk(executed)
    })
  }

  test('are all executed, or have a reason why not', async () => {
    for (const [page, blocks] of await readPages()) {
      const isKnown = walks.flat().includes(page) || pagesNotExecuted[page] !== undefined
      const silent = blocks.filter(({ notExecuted }) => notExecuted === undefined)
      assert.ok(isKnown || silent.length === 0, `nobody says what becomes of the commands in ${page}`)
    }
  })

  test('a failing one stops the run and is named; a comment excludes a block', () => {
    const page = '<!-- not executed: it waits for you -->\n```sh\nread -r line\n```\n\n```sh\nfalse\n```\n'
    const [waiting, failing] = shellBlocksOf('docs/page.md', page)
    assert.equal(waiting?.notExecuted, 'it waits for you')
    const expected = { page: 'docs/page.md', line: 6, section: '', commands: 'false', notExecuted: undefined }
    assert.deepEqual(failing, expected)
    assert.match(scriptOf([expected]), /block='docs\/page.md:6'/)
    const indented = shellBlocksOf('docs/page.md', '## Try\n\n1. Step\n\n   ```sh\n   ls\n   ```\n')
    assert.deepEqual(indented, [
      { page: 'docs/page.md', line: 5, section: 'Try', commands: 'ls', notExecuted: undefined },
    ])
    assert.throws(() => shellBlocksOf('docs/page.md', '```sh\nls'), /the code block has no end/)
  })
})
