import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { millseal, running, settingsIn, temporaryFolder } from '../test/millseal.ts'

describe('millseal', () => {
  test('has help for itself and for every command', async () => {
    const help = await millseal(['--help'])
    assert.equal(help.status, 0)
    assert.match(help.stdout, /serve/)
    const serve = await millseal(['serve', '--help'])
    assert.equal(serve.status, 0)
    for (const name of [
      'MILLSEAL_PORT (8080)',
      'MILLSEAL_DATA_DIR (./data)',
      'DATABASE_URL',
      'SMTP_URL',
      'MILLSEAL_MASTER_KEY',
    ]) {
      assert.ok(serve.stdout.includes(name), name)
    }
  })

  test('prints its version', async () => {
    const { status, stdout } = await millseal(['--version'])
    assert.equal(status, 0)
    assert.match(stdout, /^millseal \d+\.\d+\.\d+, Node \d+/)
  })

  test('prints the page that verifies offline, whose policy allows its own script and no connection', async () => {
    const { status, stdout } = await millseal(['verify-page'])
    assert.equal(status, 0)
    const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]+)"/.exec(stdout) ?? []
    const [, script = ''] = /<script type="module">([^]*)<\/script>/.exec(stdout) ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    assert.ok(policy.startsWith(`default-src 'none'; script-src 'sha256-${hash}'; `), policy)
    assert.doesNotMatch(policy, /connect-src|unsafe/)
  })

  test('saves a trust policy in the page that verifies offline, and refuses one that the page could not use', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'policy.json')
    await writeFile(path, '{"issuers":[{"did":"did:key:z6Mk","name":"<Mill> \\"A\\""}]}')
    const { status, stdout } = await millseal(['verify-page', '--policy', path])
    assert.equal(status, 0)
    assert.ok(
      stdout.includes(' policy="{&quot;issuers&quot;:[{&quot;did&quot;:&quot;did:key:z6Mk&quot;'),
      stdout.slice(0, 600),
    )
    assert.ok(!stdout.includes('<Mill>'))
    await writeFile(path, '{"logs":["nothing"]}')
    const refused = await millseal(['verify-page', '--policy', path])
    assert.notEqual(refused.status, 0)
    assert.match(refused.stderr, /The policy: \/logs/)
  })

  test('names a port in use at the first start, before it creates an operator whose password nobody would see again', async () => {
    await using folder = await temporaryFolder()
    await using taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { status, stderr } = await millseal(['serve'], {
      environment: { ...settingsIn(folder.path), MILLSEAL_PORT: String(port) },
    })
    assert.equal(status, 1)
    assert.doesNotMatch(stderr, /Operator|password/)
    assert.match(stderr, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use: .*MILLSEAL_PORT`))
  })

  test('names a data folder that no command can create, also where Node creates folders for ever', async () => {
    await using folder = await temporaryFolder()
    for (const args of [
      ['operator', 'create', '--email', 'operator@example.com'],
      ['restore', folder.path],
      ['schemas', 'add', folder.path],
    ]) {
      const { status, stderr } = await millseal(args, { environment: settingsIn('/proc/x') })
      assert.equal(status, 2, args.join(' '))
      assert.match(stderr, /MILLSEAL_DATA_DIR: the folder \/proc\/x cannot be used \(ENOENT\)\n$/)
    }
  })

  test('prints each finding of doctor when its check finishes', async () => {
    await using folder = await temporaryFolder()
    await using silent = createServer((socket) => socket.resume())
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const environment = {
      ...settingsIn(folder.path),
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/database`,
    }
    await using doctor = running(['doctor'], { environment })
    await doctor.until(/settings/)
    assert.doesNotMatch(doctor.text.out, /database /, 'the check of the database still waits')
  })

  test('names a data folder that cannot be created, and its setting, in one line', async () => {
    const { status, stderr } = await millseal(['serve'], {
      environment: settingsIn(join(import.meta.filename, 'data')),
    })
    assert.equal(status, 2)
    assert.match(stderr, /^millseal: MILLSEAL_DATA_DIR: \S+ is not a folder\n$/)
  })

  test('never prints control characters of a file in an error', async () => {
    await using folder = await temporaryFolder()
    const [certificate, policy] = [join(folder.path, 'c.json'), join(folder.path, 'policy.json')]
    const hostile = '\u001b[2J\r\u202ec.json: VALID'
    for (const [json, rules] of [
      ['{}', JSON.stringify({ [hostile]: 1 })],
      ['{"\u202e":1,"\u202e":2}', '{}'],
    ] as const) {
      await writeFile(certificate, json)
      await writeFile(policy, rules)
      const { status, stdout, stderr } = await millseal(['verify', certificate, '--policy', policy])
      assert.deepEqual([status, stdout], [5, ''])
      assert.match(stderr, /^millseal: [^\p{Cc}\p{Bidi_Control}]+\n$/u)
    }
  })

  test('reports invalid arguments in one line with exit code 2, and suggests similar names', async () => {
    for (const args of [['melt'], ['serve', '--prot'], ['toString']]) {
      const { status, stderr } = await millseal(args)
      assert.equal(status, 2)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
    for (const [args, meant] of [
      [['verfy'], 'verify'],
      [['keys', 'rotate-singing'], 'keys rotate-signing'],
      [['verify', '--bundel', 'x'], '--bundle'],
    ] as const) {
      const { status, stderr } = await millseal(args)
      assert.equal(status, 2)
      assert.match(stderr, /^millseal: [^\n]+\n$/)
      assert.ok(stderr.includes(`, did you mean ${meant}?`), stderr)
    }
  })

  test('names an invalid setting in one line with exit code 2, without its value', async () => {
    const wrong = {
      MILLSEAL_PORT: 'eighty',
      MILLSEAL_RATE_LIMIT: '-1',
      MILLSEAL_PUBLIC_URL: 'millseal.example.com',
      DATABASE_URL: 'mysql://root:hunter2@localhost/db',
      SMTP_URL: 'hunter2',
      MILLSEAL_MASTER_KEY: 'hunter2',
      MILLSEAL_SERVICES: 'user,kitchen',
      MILLSEAL_ROLES: 'boss',
      MILLSEAL_LOG_LEVEL: 'loud',
    }
    for (const [name, value] of Object.entries(wrong)) {
      const { status, stderr } = await millseal(['serve'], { environment: { [name]: value } })
      assert.equal(status, 2, name)
      assert.match(stderr, new RegExp(`^millseal: ${name}: expected [^\n]+\n$`))
      assert.ok(!stderr.includes('hunter2'))
    }
  })
})
