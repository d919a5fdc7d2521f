import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from '@millseal/sdk'
import { millseal, serve, settingsIn, temporaryFolder } from '../test/millseal.ts'

type Report = {
  readonly verdict: string
  readonly answers: Readonly<Record<string, string>>
  readonly checks: readonly { readonly name: string; readonly outcome: string }[]
  readonly embedded?: Report
}
type Demo = { readonly ms: number; readonly steps: readonly { readonly name: string; readonly ms: number }[] }

const opened = new AsyncDisposableStack()
let dataDir: string
let documents: string
let server: Awaited<ReturnType<typeof serve>>
let demos: Demo[]

before(async () => {
  dataDir = opened.use(await temporaryFolder()).path
  documents = opened.use(await temporaryFolder()).path
  server = opened.use(await serve(dataDir))
  demos = []
  for (const folder of ['earlier', '.']) {
    const { environment } = server
    const ran = await millseal(['demo', '--folder', join(documents, folder), '--json'], { environment })
    assert.equal(ran.status, 0, ran.stderr)
    demos.push(JSON.parse(ran.stdout) as Demo)
  }
})
after(() => opened.disposeAsync())

const path = (name: string): string => join(documents, name)
const offline = (): string[] => [
  '--mode',
  'test',
  '--bundle',
  path('bundle.json'),
  '--policy',
  path('policy.json'),
]

const verify = async (args: readonly string[], given: Parameters<typeof millseal>[1] = {}) => {
  const { status, stdout, stderr } = await millseal(['verify', ...args, '--json'], given)
  assert.equal(stderr, '')
  return { status, report: JSON.parse(stdout) as Report }
}
const outcomes = ({ checks }: Report) =>
  Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))

describe('millseal demo', () => {
  test('runs the whole process twice, and prints the duration of every step', () => {
    for (const { ms, steps } of demos) {
      assert.ok(ms > 0)
      assert.equal(steps.length, 20)
      assert.ok(steps.every((step) => step.ms >= 0))
    }
  })

  test('prints a command that verifies the certificate, from whichever folder it ran in', async () => {
    const cwd = opened.use(await temporaryFolder()).path
    const { stdout } = await millseal(['demo'], { environment: server.environment, cwd })
    const [, hint = ''] = /offline:\n {2}(\S.*)\n/.exec(stdout) ?? []
    assert.match(hint, / verify millseal-demo\/certificate\.pdf /)
    const { stdout: verified } = await promisify(execFile)('sh', ['-c', hint], { cwd })
    assert.match(verified, /: TEST – NO REAL MATERIAL\n {2}This file is unchanged since Demo /)
  })

  test('deletes its operator, and reports an unreachable server', async () => {
    const [, username = '', password = ''] = /Operator\s+(\S+), password (\S+) /.exec(server.text.err) ?? []
    const { accessToken } = await createClient({ baseUrl: server.url }).login({
      body: { username, password },
    })
    const users = await createClient({ baseUrl: server.url, accessToken }).listUsers({})
    assert.deepEqual(
      users.filter(({ role }) => role === 'ADMIN').map((user) => user.username),
      ['operator'],
    )
    const alone = await millseal(['demo', '--server', 'http://127.0.0.1:9'], {
      environment: settingsIn(dataDir),
    })
    assert.equal(alone.status, 1)
    assert.match(alone.stderr, /cannot be reached/)
  })
})

describe('millseal verify', () => {
  test('verifies PDF and JSON offline with bundle and policy', async () => {
    for (const name of ['certificate.pdf', 'certificate.json']) {
      const { status, report } = await verify([path(name), ...offline()], { offline: true })
      assert.equal(status, 0)
      assert.equal(report.verdict, 'test')
      assert.deepEqual([report.answers['unchanged'], report.answers['issuer']], ['yes', 'yes'])
      const { confirmation, ...proven } = outcomes(report)
      const names = ['file', 'transaction', 'log', 'issuer', 'time', 'status']
      assert.deepEqual(proven, Object.fromEntries(names.map((check) => [check, 'passed'])))
      assert.equal(confirmation, 'unknown', 'the policy of the demo demands nobody')
    }
    const asking = await millseal(['verify', path('certificate.pdf'), '--server', server.url], {
      offline: true,
    })
    assert.equal(asking.status, 5)
    assert.match(asking.stderr, /there is no network/, 'sockets are really blocked')
  })

  test('gets bundle and key from the server, names the source of the key, and saves both', async () => {
    const [bundle, policy] = [path('kept-bundle.json'), path('kept-policy.json')]
    const { status, stdout } = await millseal(
      [
        'verify',
        path('certificate.json'),
        '--mode',
        'test',
        '--save-bundle',
        bundle,
        '--save-policy',
        policy,
      ],
      { environment: server.environment },
    )
    assert.equal(status, 0, 'the policy names no issuer: the review does')
    assert.match(stdout, /: TEST – NO REAL MATERIAL\n.*does not describe real material\.\n\n {2}✓ File/)
    assert.ok(stdout.includes(`The key of the log comes from ${server.url} itself`))
    assert.ok(!stdout.includes('\u001b'), 'no colours in a pipe')
    const kept = await verify([path('certificate.pdf'), '--bundle', bundle, '--policy', policy], {
      offline: true,
    })
    assert.deepEqual([kept.report.verdict, kept.report.answers['unchanged']], ['test', 'yes'])
  })

  test('accepts JSON with different white space, and rejects JSON with a different value', async () => {
    const certificate: unknown = JSON.parse(await readFile(path('certificate.json'), 'utf8'))
    const spaced = path('spaced.json')
    await writeFile(spaced, JSON.stringify(certificate, null, 3))
    assert.equal((await verify([spaced, ...offline()])).status, 0)
    const forged = path('forged.json')
    await writeFile(forged, JSON.stringify(certificate).replace('S355J2+N', 'S355K2+N'))
    const { status, report } = await verify([forged, ...offline()])
    assert.equal(status, 1)
    assert.equal(outcomes(report)['file'], 'failed')
  })

  test('rejects a PDF that was saved again, and verifies the certificate inside it', async () => {
    const saved = path('saved.pdf')
    await writeFile(saved, Buffer.concat([await readFile(path('certificate.pdf')), Buffer.from('\n%%EOF\n')]))
    for (const [args, given] of [
      [offline(), { offline: true }],
      [['--mode', 'test'], { environment: server.environment }],
    ] as const) {
      const { status, report } = await verify([saved, ...args], given)
      assert.equal(status, 1)
      assert.match(report.verdict, /^(?:altered|notFound)$/)
      assert.equal(report.embedded?.answers['unchanged'], 'yes')
    }
  })

  test('rejects certificates of an untrusted log and of the other mode', async () => {
    const pdf = path('certificate.pdf')
    const untrusted = await verify([pdf, '--bundle', path('bundle.json')])
    assert.equal(untrusted.status, 5)
    assert.equal(outcomes(untrusted.report)['log'], 'unknown')
    const live = await millseal(['verify', pdf], { environment: server.environment })
    assert.equal(live.status, 1)
    assert.match(live.stdout, /live ledger .*\n.*notarized in test mode.*--mode test/)
    assert.doesNotMatch(live.stdout, /saved again/, 'an unchanged PDF is not called changed')
    const never = path('never.json')
    await writeFile(never, '{"nobody": "notarized this"}')
    const unknown = await millseal(['verify', never], { environment: server.environment })
    assert.equal(unknown.status, 1)
    assert.match(unknown.stdout, /changed, or never notarized/)
    const foreign = await verify([
      pdf,
      '--bundle',
      path('earlier/bundle.json'),
      '--policy',
      path('policy.json'),
    ])
    assert.equal(foreign.status, 1)
    assert.equal(outcomes(foreign.report)['file'], 'failed')
  })

  test('explains how to start and name a server if it cannot reach one', async () => {
    const { status, stderr } = await millseal(['verify', path('certificate.pdf')], {
      environment: { MILLSEAL_SERVER: 'http://127.0.0.1:1' },
    })
    assert.equal(status, 5)
    assert.match(stderr, /cannot be reached: .*script\/server.*MILLSEAL_SERVER/)
  })

  test('reports invalid arguments in one line with exit code 2, and unreadable files with exit code 5', async () => {
    const pdf = path('certificate.pdf')
    for (const [status, args] of [
      [2, []],
      [2, [pdf, pdf, '--bundle', path('bundle.json')]],
      [2, [pdf, '--bundle', path('bundle.json'), '--server', server.url]],
      [2, [pdf, '--mode', 'both']],
      [2, [pdf, '--server', 'ftp://example.com']],
      [5, [path('missing.pdf')]],
      [5, [pdf, '--bundle', pdf]],
      [5, [documents]],
      [5, [pdf, '--bundle', path('bundle.json'), '--policy', path('bundle.json')]],
    ] as const) {
      const ran = await millseal(['verify', ...args])
      assert.equal(ran.status, status, args.join(' '))
      assert.match(ran.stderr, /^millseal: [^\n]+\n$/)
      assert.equal(ran.stdout, '')
    }
  })
})

describe('backup and restore', () => {
  test('restore every row and valid logs, and users can sign in', async () => {
    await using folders = new AsyncDisposableStack()
    const work = folders.use(await temporaryFolder()).path
    const backup = join(work, 'backup')
    const other = join(work, 'restored')
    const saved = await millseal(['backup', backup, '--include-keys', '--json'], {
      environment: settingsIn(dataDir),
    })
    assert.equal(saved.status, 0, saved.stderr)
    const kept = JSON.parse(saved.stdout) as {
      rows: number
      tables: { schema: string; table: string; rows: number }[]
      logs: Record<string, number>
    }
    assert.equal(kept.logs['test'], 18, 'three identities, reviews and certificates, each with a state leaf')
    assert.ok(kept.rows > 100)

    const back = await millseal(['restore', backup, '--json'], { environment: settingsIn(other) })
    assert.equal(back.status, 0, back.stderr + back.stdout)
    const restored = JSON.parse(back.stdout) as {
      rows: Record<string, number>
      logs: Record<string, number>
      problems: string[]
      missingKeyId?: string
    }
    assert.deepEqual(
      restored.rows,
      Object.fromEntries(kept.tables.map(({ schema, table, rows }) => [`${schema}.${table}`, rows])),
    )
    assert.deepEqual([restored.logs, restored.problems], [kept.logs, []])
    assert.equal(restored.missingKeyId, undefined)
    const sound = await millseal(['log', 'verify'], { environment: settingsIn(other) })
    assert.equal(sound.status, 0, sound.stdout)

    await using again = folders.use(await serve(other))
    const found = await verify([path('certificate.pdf'), '--mode', 'test', '--policy', path('policy.json')], {
      environment: again.environment,
    })
    assert.equal(found.status, 0)
    const demo = await millseal(['demo', '--folder', join(work, 'papers')], {
      environment: again.environment,
    })
    assert.equal(demo.status, 0, demo.stderr)

    const twice = await millseal(['restore', backup], { environment: settingsIn(other) })
    assert.equal(twice.status, 1)
    assert.match(twice.stderr, /is not empty/)
  })

  test('report a missing folder and a file in one line', async () => {
    await using folder = await temporaryFolder()
    const environment = settingsIn(join(folder.path, 'data'))
    const missing = await millseal(['restore', join(folder.path, 'mistyped')], { environment })
    assert.equal(missing.status, 1)
    assert.match(missing.stderr, /^millseal: \S+mistyped does not exist[^\n]*\n$/)
    const file = await millseal(['restore', import.meta.filename], { environment })
    assert.match(file.stderr, /^millseal: \S+ is not a folder[^\n]*\n$/)
  })

  test('name the missing master key, and reject a changed backup', async () => {
    await using folder = await temporaryFolder()
    const backup = join(folder.path, 'backup')
    const saved = await millseal(['backup', backup, '--json'], { environment: settingsIn(dataDir) })
    const { masterKeyId } = JSON.parse(saved.stdout) as { masterKeyId: string }
    const over = await millseal(['backup', backup], { environment: settingsIn(dataDir) })
    assert.match(over.stderr, /is not empty/)
    const rows = join(backup, 'database', 'public.users.jsonl.gz')
    const whole = await readFile(rows)
    await writeFile(rows, Buffer.concat([whole, Buffer.from([0])]))
    const changed = await millseal(['restore', backup], { environment: settingsIn(join(folder.path, 'one')) })
    assert.equal(changed.status, 1)
    assert.match(changed.stderr, /public\.users\.jsonl\.gz was changed/)
    await writeFile(rows, whole)
    const back = await millseal(['restore', backup], { environment: settingsIn(join(folder.path, 'two')) })
    assert.equal(back.status, 0, back.stderr)
    assert.ok(back.stdout.includes(`put the master key ${masterKeyId} into`))
  })
})
