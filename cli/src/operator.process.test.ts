import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { millseal, type Ran, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'

const password = 'correct horse battery'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder[Symbol.asyncDispose]())

const operator = (...args: readonly string[]): Promise<Ran> =>
  millseal(['operator', ...args], { environment: settingsIn(folder.path) })

type Made = { id: string; username: string; email: string; outcome: string; password?: string }

const makeOperator = async (...args: readonly string[]): Promise<Made> => {
  const { status, stdout, stderr } = await operator('create', ...args, '--json')
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
  return JSON.parse(stdout) as Made
}

const roleOf = async (url: string, made: Made, secret = made.password ?? ''): Promise<string> => {
  const { accessToken } = await createClient({ baseUrl: url }).login({
    body: { username: made.username, password: secret },
  })
  const { role } = await createClient({ baseUrl: url, accessToken }).readMe()
  return role
}

describe('millseal operator create', () => {
  test('creates operators with and without a running server; the printed password works', async () => {
    const first = await makeOperator('--email', 'first@example.com', '--username', 'first-operator')
    assert.deepEqual([first.username, first.outcome], ['first-operator', 'created'])
    assert.ok((first.password ?? '').length >= 20)

    await using server = await serve(folder.path)
    assert.equal(await roleOf(server.url, first), 'ADMIN')
    assert.doesNotMatch(server.text.err, /Operator/, 'an operator exists already')

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
      'the address was not confirmed',
    )

    const again = await makeOperator('--email', 'second@example.com')
    assert.deepEqual([again.outcome, again.password], ['unchanged', undefined])
    assert.equal(await roleOf(server.url, second), 'ADMIN')

    const taken = await operator('create', '--email', 'third@example.com', '--username', 'second')
    assert.equal(taken.status, 1)
    assert.equal(taken.stderr, 'millseal: the username second is taken; choose another with --username\n')
    for (const { password: secret = '' } of [first, second]) {
      assert.ok(!server.text.out.includes(secret) && !server.text.err.includes(secret))
    }
  })

  test('prints sentences without --json', async () => {
    const { status, stdout } = await operator('create', '--email', 'reader@example.com')
    assert.equal(status, 0)
    assert.match(stdout, /^reader \(reader@example\.com\) is a new operator\.\n {2}Password {2}\S{20,}\n/)
    const again = await operator('create', '--email', 'reader@example.com')
    assert.equal(
      again.stdout,
      'reader (reader@example.com) is already an operator.\n  The password does not change.\n',
    )
  })

  test('reports invalid arguments in one line with exit code 2, and has help', async () => {
    const wrong = [
      [],
      ['delete'],
      ['create'],
      ['create', '--email', 'nonsense'],
      ['create', '--email', 'a@example.com', '--username', 'no'],
      ['create', '--email', 'a@example.com', '--pass', 'x'],
      ['create', '--email'],
    ]
    for (const args of wrong) {
      const { status, stdout, stderr } = await operator(...args)
      assert.equal(status, 2, args.join(' '))
      assert.equal(stdout, '')
      assert.match(stderr, /^millseal: [^\n]+\n$/)
    }
    const help = await operator('--help')
    assert.equal(help.status, 0)
    assert.match(help.stdout, /--email/)
  })
})

describe('the first start', () => {
  test('creates an operator on an empty database and shows the password once, outside the log', async () => {
    await using empty = await temporaryFolder()
    let secret = ''
    {
      await using server = await serve(empty.path)
      const [, username = '', shown = ''] = /Operator\s+(\S+), password (\S+) /.exec(server.text.err) ?? []
      secret = shown
      const made = { id: '', username, email: '', outcome: 'created', password: secret }
      assert.equal(await roleOf(server.url, made), 'ADMIN')
      assert.ok(!server.text.out.includes(secret), 'the password is not in the log')
    }
    await using server = await serve(empty.path)
    assert.doesNotMatch(server.text.err, /Operator/)
    assert.ok(!server.text.err.includes(secret) && !server.text.out.includes(secret))
  })
})
