import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import { createTestLog, didOfOwner, record } from '@millseal/proof/testing'
import {
  type Answer,
  at,
  bundleOf,
  certificate,
  correct,
  did,
  type Log,
  mill,
  openLog,
  type Opened,
  verifying,
  sha256,
  thief,
} from '../test/certified.ts'
import { millseal } from '../test/millseal.ts'

const wellKnown = 'A well-known mill'

let place: Awaited<ReturnType<typeof verifying>>
before(async () => {
  place = await verifying()
})
after(() => place[Symbol.asyncDispose]())
const path = (name: string): string => place.path(name)

type Case = {
  readonly verdict: string
  readonly exitCode: number
  readonly headline: RegExp
  readonly mode?: 'test'
  readonly args?: () => readonly string[]
  readonly prepare?: (opened: Opened) => void
  readonly policy?: (log: Log) => JsonValue
  readonly bundle?: (opened: Opened) => Promise<JsonValue>
}

const cases: Readonly<Record<string, Case>> = {
  'a reviewed issuer': {
    verdict: 'genuine',
    exitCode: 0,
    headline:
      /: GENUINE\n {2}This file is unchanged since Rolling Mill notarized it on 2026-11-22 05:10 UTC\. It was not withdrawn or replaced as of 2026-11-22 05:50 UTC\.\n/,
  },
  'a reviewed issuer, the PDF': {
    verdict: 'genuine',
    exitCode: 0,
    headline: /: GENUINE\n/,
    args: () => [path('c.pdf')],
  },
  'an issuer that nobody reviewed': {
    verdict: 'unknownIssuer',
    exitCode: 3,
    headline: /: UNCHANGED, BUT THE ISSUER IS UNKNOWN\n/,
    bundle: ({ log, transaction }) => log.bundle(transaction, {}, at(50)),
  },
  'an issuer that the policy does not accept': {
    verdict: 'refused',
    exitCode: 3,
    headline: /: UNCHANGED, BUT NOT FROM AN ISSUER YOU ACCEPT\n/,
    policy: ({ vkey }) => ({ logs: [vkey], onlyKnownIssuers: true }),
  },
  'a withdrawn certificate': {
    verdict: 'withdrawn',
    exitCode: 4,
    headline: /: WITHDRAWN\n {2}Withdrawn by its issuer on \S+: Wrong heat number\.\n/,
    prepare: (opened) => correct(opened, { action: 'withdraw', transactionId: opened.transaction.id }),
  },
  'a replaced certificate': {
    verdict: 'replaced',
    exitCode: 4,
    headline:
      /: REPLACED by another certificate\n {2}Replaced by another certificate, by its issuer on \S+: .+ \(transaction [0-9a-f]{64}\)/,
    prepare(opened) {
      const next = opened.log.add(record(mill, { jsonHash: sha256('next') }), at(15))
      correct(opened, { action: 'replace', transactionId: opened.transaction.id, replacedBy: next.id })
    },
  },
  'a revoked key': {
    verdict: 'revoked',
    exitCode: 4,
    headline: /: SIGNED WITH A REVOKED KEY\n/,
    prepare: (opened) => correct(opened, { action: 'revoke-key', did, since: at(5) }),
  },
  'a changed file': {
    verdict: 'altered',
    exitCode: 1,
    headline:
      /: Changed\. Do not accept\.\n {2}Rolling Mill notarized the original, but not this file: ask the sender for the original file\.\n/,
    args: () => [path('forged.json')],
  },
  'a policy that trusts no log': {
    verdict: 'unchecked',
    exitCode: 5,
    headline: /: COULD NOT BE CHECKED\n {2}You trust no log yet[^]*\nPass a policy with --policy\. /,
    policy: () => ({}),
  },
  'a bundle of the future': {
    verdict: 'unchecked',
    exitCode: 5,
    headline: /: COULD NOT BE CHECKED\n {2}The bundle has format 4/,
    bundle: async (opened) => ({ ...((await bundleOf(opened)) as object), formatVersion: 4 }),
  },
  'a test certificate': {
    mode: 'test',
    verdict: 'test',
    exitCode: 3,
    headline: /: TEST – NO REAL MATERIAL\n.*it does not describe real material\.\n/,
  },
  'a test certificate that is asked for': {
    mode: 'test',
    verdict: 'test',
    exitCode: 0,
    headline: /: TEST – NO REAL MATERIAL\n/,
    args: () => [path('c.json'), '--mode', 'test'],
  },
  'a test certificate of an unknown issuer that is asked for': {
    mode: 'test',
    verdict: 'test',
    exitCode: 3,
    headline: /: TEST – NO REAL MATERIAL\n.*nobody you trust says who signed it/,
    args: () => [path('c.json'), '--mode', 'test'],
    bundle: ({ log, transaction }) => log.bundle(transaction, {}, at(50)),
  },
  'a test certificate where a live one is expected': {
    mode: 'test',
    verdict: 'test',
    exitCode: 3,
    headline: /REFUSED: You asked for a live certificate \(--mode live\)\. This is a TEST certificate/,
    args: () => [path('c.json'), '--mode', 'live'],
  },
  'a live certificate where a test one is expected': {
    verdict: 'genuine',
    exitCode: 3,
    headline: /REFUSED: You asked for a test certificate \(--mode test\)\. This is a live certificate/,
    args: () => [path('c.json'), '--mode', 'test'],
  },
  'a live certificate that is expected': {
    verdict: 'genuine',
    exitCode: 0,
    headline: /: GENUINE\n/,
    args: () => [path('c.json'), '--mode', 'live'],
  },
  'a status at the limit': {
    verdict: 'genuine',
    exitCode: 0,
    headline: /: GENUINE\n/,
    args: () => [path('c.json'), '--now', '2026-12-22T05:50:00Z'],
  },
  'a status that is too old': {
    verdict: 'oldStatus',
    exitCode: 6,
    headline:
      /: UNCHANGED, BUT ITS STATUS IS OLD\n {2}.*\. Status of 2026-11-22 05:50 UTC: ask again whether[^]* – Status +Status of 2026-11-22T05:50:00\.000Z: ask again/,
    args: () => [path('c.json'), '--now', '2026-12-22T05:50:01Z'],
  },
  'a status that is too old for its reader': {
    verdict: 'oldStatus',
    exitCode: 6,
    headline: /: UNCHANGED, BUT ITS STATUS IS OLD\n/,
    args: () => [path('c.json'), '--now', '2026-11-23T05:50:01Z', '--max-status-age', '1'],
  },
  'an old status that its reader accepts': {
    verdict: 'genuine',
    exitCode: 0,
    headline: /: GENUINE\n/,
    args: () => [path('c.json'), '--now', '2027-11-22T05:50:00Z', '--max-status-age', '365'],
  },
  'a test certificate that is asked for, with an old status': {
    mode: 'test',
    verdict: 'test',
    exitCode: 6,
    headline: /: TEST – NO REAL MATERIAL\n[^]*Status of \S+: ask again/,
    args: () => [path('c.json'), '--mode', 'test', '--now', '2026-12-22T05:50:01Z'],
  },
  'an old live certificate where a test one is expected': {
    verdict: 'oldStatus',
    exitCode: 3,
    headline: /REFUSED: You asked for a test certificate/,
    args: () => [path('c.json'), '--mode', 'test', '--now', '2026-12-22T05:50:01Z'],
  },
  'a withdrawn test certificate': {
    mode: 'test',
    verdict: 'withdrawn',
    exitCode: 4,
    headline: /: TEST – NO REAL MATERIAL\. WITHDRAWN\n/,
    prepare: (opened) => correct(opened, { action: 'withdraw', transactionId: opened.transaction.id }),
  },
}

describe('millseal verify, offline', () => {
  for (const [name, { verdict, exitCode, headline, mode = 'live', ...given }] of Object.entries(cases))
    test(`says ${verdict} with exit code ${exitCode} for ${name}`, async () => {
      const opened = openLog(mode)
      given.prepare?.(opened)
      const bundle = await (given.bundle ?? bundleOf)(opened)
      const policy = given.policy?.(opened.log) ?? { logs: [opened.log.vkey] }
      const { status, text, report } = await place.verify({ bundle, policy }, ...(given.args?.() ?? []))
      assert.deepEqual([report.verdict, status], [verdict, exitCode], text)
      assert.match(text, headline)
      assert.deepEqual(Object.keys(report.answers), ['unchanged', 'issuer', 'time', 'status'])
      assert.equal(report.facts === undefined, ['unchecked'].includes(verdict))
    })

  test('never lets a name that the key gave itself look like a confirmation', async () => {
    const log = createTestLog('mill.example/ledger/live')
    const claim = {
      type: 'identity',
      did: didOfOwner(thief),
      publicKey: thief.publicKey,
      company: wellKnown,
      vatId: 'DE1',
    }
    const identity = log.add(record(thief, claim), at(1))
    const forgery = log.add(record(thief, { jsonHash: sha256(canonicalJson(certificate)) }), at(10))
    const bundle = await log.bundle(forgery, { identity }, at(50))
    const { status, text, report } = await place.verify({ bundle, policy: { logs: [log.vkey] } })
    assert.deepEqual([report.verdict, report.answers['issuer'], status], ['unknownIssuer', 'unknown', 3])
    const lines = text.split('\n').filter((line) => line.includes(wellKnown))
    assert.equal(lines.length, 1, text)
    assert.match(
      lines[0] ?? '',
      /^ {2}– Issuer .* calls itself A well-known mill; the operator of the log has not confirmed that$/,
    )
    assert.doesNotMatch(text, /GENUINE|VALID/)
  })

  test('refuses an age or a time that is none, and names the option', async () => {
    for (const [option, wrong] of [
      ['--max-status-age', '30d'],
      ['--max-status-age', '-1'],
      ['--max-status-age', '36501'],
      ['--now', 'yesterday'],
      ['--now', '2026-12-22T05:50:00'],
    ] as const) {
      const { status, stderr } = await millseal(['verify', path('c.json'), `${option}=${wrong}`])
      assert.equal(status, 2, `${option}=${wrong}`)
      assert.match(stderr, new RegExp(`^millseal: ${option}`))
    }
  })

  test('prints exit code 5 and a report with --json if a file cannot be read', async () => {
    const missing = await millseal(['verify', path('missing.pdf'), '--json'])
    assert.equal(missing.status, 5)
    assert.equal((JSON.parse(missing.stdout) as Answer).verdict, 'unchecked')
    assert.match(missing.stderr, /^millseal: \S+missing\.pdf does not exist[^\n]*\n$/)
  })

  test('loads only what it needs: no server, no client, no portable cryptography, of the contract one function', async () => {
    const opened = openLog('live')
    const files = [
      '--bundle',
      await place.write('bundle.json', await bundleOf(opened)),
      '--policy',
      await place.write('policy.json', { logs: [opened.log.vkey] }),
    ]
    const preload = `import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
process.on('exit', () => process.stderr.write(loaded.join('\\n')))`
    const args = ['verify', path('c.json'), ...files, '--now', at(55)]
    const { status, stderr } = await millseal(args, { preload })
    assert.equal(status, 0)
    const modules = stderr.split('\n').filter((url) => url.startsWith('file:'))
    assert.ok(
      modules.some((url) => url.endsWith('/cli/src/commands/verify.ts')),
      stderr,
    )
    const foreign = modules.filter(
      (url) => !/\/(?:cli|proof)\/(?:src|node)\/|\/contract\/src\/nearest\.ts$|\/package\.json$/.test(url),
    )
    assert.deepEqual(foreign, [])
    assert.ok(modules.length <= 80, `${modules.length} modules`)
  })

  test('starts from compiled code that an earlier run stored', async () => {
    const environment = { NODE_COMPILE_CACHE: path('compiled'), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    const run = () => millseal(['verify', path('c.json'), '--bundle', path('c.json')], { environment })
    await run()
    const { stderr } = await run()
    for (const file of ['cli/src/commands/verify.ts', 'proof/src/verification/verify-bundle.ts'])
      assert.match(stderr, new RegExp(`cache for .*${file} was accepted`))
  })
})
