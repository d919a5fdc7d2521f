import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@millseal/sdk'

const main = join(import.meta.dirname, 'main.ts')
const password = 'correct horse battery'

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
})
after(() => rm(dataDir, { recursive: true, force: true }))

const start = (args: readonly string[], folder: string): ChildProcess =>
  spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      MILLSEAL_DATA_DIR: folder,
      MILLSEAL_PORT: '0',
      MILLSEAL_MQTT_PORT: '0',
      MILLSEAL_MQTTS_PORT: 'off',
      MILLSEAL_RATE_LIMIT: '0',
      MILLSEAL_DRAIN_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const collect = (child: ChildProcess): { out: string; err: string } => {
  const text = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
  return text
}

const millseal = async (...args: readonly string[]) => {
  const child = start(args, dataDir)
  const text = collect(child)
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout: text.out, stderr: text.err }
}

type Made = { id: string; username: string; email: string; outcome: string; password?: string }

const makeOperator = async (...args: readonly string[]): Promise<Made> => {
  const { status, stdout, stderr } = await millseal('operator', 'create', ...args, '--json')
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
  return JSON.parse(stdout) as Made
}

/** Runs until disposed; resolves once it answers. */
const serve = async (folder: string) => {
  const child = start(['serve'], folder)
  const text = collect(child)
  const deadline = AbortSignal.timeout(60_000)
  for (;;) {
    const url = /API\s+(\S+)\/api\n/.exec(text.err)?.[1]
    if (url !== undefined && text.err.includes('Stop with')) {
      return {
        url,
        text,
        async [Symbol.asyncDispose]() {
          child.kill('SIGTERM')
          if (child.exitCode === null) await once(child, 'close')
        },
      }
    }
    if (child.stderr !== null) await once(child.stderr, 'data', { signal: deadline })
  }
}

const roleOf = async (url: string, made: Made, secret = made.password ?? ''): Promise<string> => {
  const { accessToken } = await createClient({ baseUrl: url }).login({
    body: { username: made.username, password: secret },
  })
  const { role } = await createClient({ baseUrl: url, accessToken }).readMe()
  return role
}

describe('millseal operator create', () => {
  test('makes operators while no server runs, and beside one that does; the password signs in', async () => {
    const first = await makeOperator('--email', 'first@example.com', '--username', 'first-operator')
    assert.deepEqual([first.username, first.outcome], ['first-operator', 'created'])
    assert.ok((first.password ?? '').length >= 20)

    await using server = await serve(dataDir)
    assert.equal(await roleOf(server.url, first), 'ADMIN')
    assert.doesNotMatch(server.text.err, /Operator/, 'there is an operator already')

    const second = await makeOperator('--email', 'second@example.com')
    assert.equal(second.username, 'second')
    assert.equal(await roleOf(server.url, second), 'ADMIN')

    const client = createClient({ baseUrl: server.url })
    await client.registerUser({ body: { username: 'registered', email: 'registered@example.com', password } })
    const promoted = await makeOperator('--email', 'REGISTERED@example.com')
    assert.equal(promoted.outcome, 'promoted')
    assert.equal(await roleOf(server.url, promoted), 'ADMIN')
    await assert.rejects(
      roleOf(server.url, promoted, password),
      /credentials/,
      'nobody had confirmed the address',
    )

    const again = await makeOperator('--email', 'second@example.com')
    assert.deepEqual([again.outcome, again.password], ['unchanged', undefined])
    assert.equal(await roleOf(server.url, second), 'ADMIN')

    const taken = await millseal('operator', 'create', '--email', 'third@example.com', '--username', 'second')
    assert.equal(taken.status, 1)
    assert.equal(taken.stderr, 'millseal: the username second is taken; choose another with --username\n')
    for (const { password: secret = '' } of [first, second]) {
      assert.ok(!server.text.out.includes(secret) && !server.text.err.includes(secret))
    }
  })

  test('for people it prints sentences', async () => {
    const { status, stdout } = await millseal('operator', 'create', '--email', 'reader@example.com')
    assert.equal(status, 0)
    assert.match(stdout, /^reader \(reader@example\.com\) is a new operator\.\n {2}Password {2}\S{20,}\n/)
    const again = await millseal('operator', 'create', '--email', 'reader@example.com')
    assert.equal(
      again.stdout,
      'reader (reader@example.com) was an operator already.\n  The password stays as it is.\n',
    )
  })

  test('a wrong call is one line and exit code 2; help is not an error', async () => {
    const wrong = [
      ['operator'],
      ['operator', 'delete'],
      ['operator', 'create'],
      ['operator', 'create', '--email', 'nonsense'],
      ['operator', 'create', '--email', 'a@example.com', '--username', 'no'],
      ['operator', 'create', '--email', 'a@example.com', '--pass', 'x'],
      ['operator', 'create', '--email'],
    ]
    for (const args of wrong) {
      const { status, stdout, stderr } = await millseal(...args)
      assert.equal(status, 2, args.join(' '))
      assert.equal(stdout, '')
      assert.match(stderr, /^millseal: [^\n]+\n$/)
    }
    const help = await millseal('operator', '--help')
    assert.equal(help.status, 0)
    assert.match(help.stdout, /--email/)
  })
})

describe('the first start', () => {
  test('on an empty database makes an operator and shows the password once, outside the log', async () => {
    const folder = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
    try {
      let secret = ''
      {
        await using server = await serve(folder)
        const [, username = '', shown = ''] = /Operator\s+(\S+), password (\S+) /.exec(server.text.err) ?? []
        secret = shown
        const made = { id: '', username, email: '', outcome: 'created', password: secret }
        assert.equal(await roleOf(server.url, made), 'ADMIN')
        assert.ok(!server.text.out.includes(secret), 'the log is for everybody')
      }
      await using server = await serve(folder)
      assert.doesNotMatch(server.text.err, /Operator/)
      assert.ok(!server.text.err.includes(secret) && !server.text.out.includes(secret))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
