import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { askedOnce as primitives } from '../asked-once.fixture.ts'
import type { JsonValue } from '../json/read.ts'
import { smallPrimitives } from '../small-primitives.ts'
import { readPolicy } from '../verification/policy.ts'
import type { Report } from '../verification/report.ts'
import { verifyBundle } from '../verification/verify-bundle.ts'
import { alterationsOf } from './alterations.fixture.ts'
import { readingOf, type Vector } from './cases.fixture.ts'
import { vectors } from './vectors.fixture.ts'

const all = await vectors()

const reportOn = ({ file, bundle, policy, ...asked }: Vector): Report =>
  verifyBundle({ file, bundle, policy: readPolicy(policy, primitives), ...readingOf(asked) }, primitives)

describe('a bundle', () => {
  for (const [group, list] of Object.entries(all))
    for (const vector of list)
      test(`${group}: ${vector.name}: ${vector.verdict}`, () => {
        const { verdict, checks, facts } = reportOn(vector)
        assert.equal(verdict, vector.verdict, JSON.stringify(checks, undefined, 1))
        const { confirmedBy, before } = vector
        if (confirmedBy === undefined) return
        assert.deepEqual([facts?.confirmation.by, facts?.confirmation.before], [confirmedBy, before])
      })

  test('names the issuer as it was reviewed, and another name only as a claim of its key', () => {
    const vector = all['valid']?.find(({ name }) => name.startsWith('an issuer that gave itself'))
    assert.ok(vector)
    const { facts, checks } = reportOn(vector)
    const { name, selfName } = facts?.issuer ?? {}
    assert.deepEqual({ name, selfName }, { name: 'Rolling Mill “Grüße” 1', selfName: 'A well-known mill' })
    const says = checks.find((check) => check.name === 'issuer')?.says ?? ''
    assert.match(says, /^Signed by Rolling Mill “Grüße” 1 .*\(A well-known mill\), which nobody confirms$/)
  })

  test('is compared with the file, whose kind the report names', () => {
    for (const { name, file, ...vector } of all['valid'] ?? []) {
      const kind = file.kind.toUpperCase()
      const saysOf = (hash: string) => {
        const { checks } = reportOn({ ...vector, name, file: { ...file, hash } })
        return checks.find((check) => check.name === 'file')?.says ?? ''
      }
      assert.ok(saysOf(file.hash).startsWith(`The ${kind} is unchanged`), name)
      assert.ok(saysOf('0'.repeat(64)).startsWith(`The ${kind} is not the notarized one`), name)
    }
  })

  test('has a time only if the log recorded one', () => {
    const timeOf = (name: string) => {
      const vector = Object.values(all)
        .flat()
        .find((one) => one.name === name)
      assert.ok(vector, name)
      return reportOn(vector).answers.time
    }
    assert.equal(timeOf('a reviewed issuer, JSON'), 'yes')
    assert.equal(timeOf('a log of BigchainDB transactions without times and status'), 'unknown')
    assert.equal(timeOf('format 1: an issuer of the policy'), 'unknown')
  })

  test('that cannot be checked has a report that says what is missing', () => {
    const cases: readonly (readonly [group: string, name: string, says: string])[] = [
      ['valid', 'a policy without logs', 'You trust no log yet: add the key of the log to a policy'],
      [
        'valid',
        'a policy with the key of another log',
        'Your policy has no key for this log. It has: other.example/ledger/live',
      ],
      ['forged', 'a withdrawal left out', 'corrections must be the entries 6'],
    ]
    for (const [group, name, says] of cases) {
      const vector = all[group]?.find((one) => one.name === name)
      assert.ok(vector, name)
      assert.deepEqual(
        reportOn(vector).checks.flatMap((check) => (check.outcome === 'unknown' ? [check.says] : [])),
        [says],
      )
    }
    const [vector] = all['valid'] ?? []
    assert.ok(vector)
    const { identity, ...rest } = vector.bundle as { [name: string]: JsonValue }
    const unwanted = { ...rest, corrections: [identity] } as JsonValue
    const [, , last] = reportOn({ ...vector, bundle: unwanted }).checks
    assert.equal(last?.says, 'corrections must be the entries (none)')
  })

  test('has the same verdict with the primitives of the page', () => {
    for (const { name, file, bundle, policy, verdict, ...asked } of Object.values(all).flat()) {
      const trusted = readPolicy(policy, smallPrimitives)
      const claim = { file, bundle, policy: trusted, ...readingOf(asked) }
      const report = verifyBundle(claim, smallPrimitives)
      const by = report.facts?.confirmation.by
      assert.deepEqual([report.verdict, asked.confirmedBy ?? by], [verdict, by], name)
    }
  })

  test('the published vectors are these', async () => {
    for (const [group, list] of Object.entries(all)) {
      const published = await readFile(join(import.meta.dirname, `../../vectors/${group}.json`), 'utf8')
      assert.deepEqual(JSON.parse(published), JSON.parse(JSON.stringify(list)), `run script/dump: ${group}`)
    }
  })

  test('no leaf of a bundle of format 2 or 3 can be altered unnoticed', () => {
    const groups = ['valid', 'corrected', 'format-3']
    const bundles = groups
      .flatMap((group) => all[group] ?? [])
      .filter(({ name }) =>
        [
          'a reviewed issuer, PDF',
          'a test log',
          'replaced, then withdrawn',
          'key revoked by its recovery key',
          'a state leaf, JSON',
        ].includes(name),
      )
    let tried = 0
    for (const vector of bundles) {
      const before = reportOn(vector)
      for (const { at, bundle } of alterationsOf(vector.bundle)) {
        tried += 1
        const after = reportOn({ ...vector, bundle })
        const isWeaker = after.verdict === 'altered' || after.verdict === 'unchecked'
        assert.ok(isWeaker, `${vector.name}: ${at}: ${before.verdict} became ${after.verdict}`)
      }
    }
    assert.ok(tried > 1_000, `only ${tried} alterations`)
  })

  test('every sentence of a report is one printable line', () => {
    const escape = '\u001b[2J\u001b[H\nVALID\u202e\u2028'
    for (const vector of Object.values(all).flat()) {
      for (const bundle of [vector.bundle, ...alterationsOf(vector.bundle, escape).map((one) => one.bundle)])
        for (const { says } of reportOn({ ...vector, bundle }).checks)
          assert.match(says, /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,1000}$/u)
    }
  })

  test('a failure of the machine is not a verdict', () => {
    const [vector] = all['valid'] ?? []
    assert.ok(vector)
    const claim = { ...vector, policy: readPolicy(vector.policy, primitives), ...readingOf(vector) }
    const failingAt = (turn: number): typeof primitives => {
      let turns = 0
      const verifyEd25519: typeof primitives.verifyEd25519 = (check) => {
        turns += 1
        if (turns === turn) throw new Error('out of memory')
        return primitives.verifyEd25519(check)
      }
      return { ...primitives, verifyEd25519 }
    }
    for (const turn of [1, 2, 3, 4])
      assert.throws(() => verifyBundle(claim, failingAt(turn)), /out of memory/)
    assert.equal(verifyBundle(claim, failingAt(5)).verdict, 'genuine')
  })

  test('that is not a bundle is not checked, with a reason that names the member', () => {
    const [vector] = all['valid'] ?? []
    assert.ok(vector)
    const good = vector.bundle as { [name: string]: JsonValue }
    const [entry, identity, leaf] = [good['entry'], good['identity'], (good['status'] as JsonValue[])[0]].map(
      (value) => value as { [name: string]: JsonValue },
    )
    const longPath = (hashes: number) => Buffer.alloc(32 * hashes).toString('base64')
    const cases: readonly (readonly [JsonValue, RegExp])[] = [
      [null, /not an object/],
      [[], /not an object/],
      ['x', /not an object/],
      [{}, /formatVersion/],
      [{ ...good, formatVersion: 7 }, /format 7/],
      [{ ...good, witness: 1 }, /"witness"/],
      [{ ...good, state: { path: '' } }, /"state"/],
      [{ ...good, formatVersion: 3 }, /stamps is not a list/],
      [
        { ...good, formatVersion: 3, stamps: [], countersignatures: [1] },
        /A stamp or countersignature is not an object/,
      ],
      [
        { ...good, entry: { ...(good['entry'] as object), mode: 'live' } as JsonValue },
        /entry has a member "mode"/,
      ],
      [{ ...good, entry: {} }, /entry\/transaction is not an object/],
      [{ ...good, identity: { index: 0, path: '' } }, /identity\/transaction is not an object/],
      [{ formatVersion: 1, algorithm: 'sha1', transaction: {}, tlogProof: '' }, /sha256/],
      [{ formatVersion: 1, algorithm: 'sha256', tlogProof: '' }, /transaction is not an object/],
      [{ ...good, formatVersion: 0 }, /no known formatVersion/],
      [{ ...good, formatVersion: '7' }, /no known formatVersion/],
      [{ ...good, entry: { ...entry, time: 7 } }, /entry\/time is not a text/],
      [{ ...good, entry: { ...entry, time: '2026-11-22' } }, /entry\/time is not a time/],
      [{ ...good, proof: 1 }, /The bundle has no proof/],
      [{ ...good, identity: [] }, /identity is not an object/],
      [{ ...good, identity: { ...identity, key: 'x' } }, /identity has a member "key"/],
      [{ ...good, identity: { ...identity, path: longPath(54) } }, /identity\/path/],
      [{ ...good, identity: { ...identity, index: '0' } }, /identity\/index/],
      [{ ...good, status: [{ ...leaf, since: 'x' }] }, /status\/0 has a member "since"/],
      [{ ...good, status: [{ ...leaf, next: 1 }] }, /status\/0\/next is not a text/],
      [{ ...good, status: [{ ...leaf, entries: 1 }] }, /status\/0\/entries is not a list/],
      [{ ...good, status: [{ ...leaf, entries: [0.5] }] }, /status\/0\/entries is not the index/],
      [{ ...good, corrections: {} }, /corrections is not a list/],
      [{ ...good, corrections: [{}] }, /corrections\/0\/transaction is not an object/],
      [{ ...good, status: 'x' }, /status is not a list/],
      [{ ...good, status: [{}] }, /status\/0\/subject/],
      [{ ...good, identity: { transaction: {} } }, /identity\/index/],
      [{ ...good, identity: { transaction: {}, index: 0, path: 'AAAA' } }, /identity\/path/],
      [{ ...good, review: { transaction: {}, index: -1, path: '' } }, /review\/index/],
    ]
    for (const [bundle, reason] of cases) {
      const { verdict, checks } = reportOn({ ...vector, bundle })
      assert.equal(verdict, 'unchecked')
      assert.match(checks[0]?.says ?? '', reason)
    }
  })
})

describe('a policy', () => {
  test('that is malformed or newer is refused with a reason', () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [[], /JSON object/],
      [{ policyVersion: 3, future: true }, /version 3.*Use a newer one/],
      [{ logs: 'x' }, /logs must be a list/],
      [{ logs: ['x'] }, /\/logs/],
      [{ logs: [1] }, /\/logs must contain keys as text/],
      [{ issuers: [{}] }, /\/issuers/],
      [{ issuers: ['x'] }, /\/issuers/],
      [{ issuers: [{ did: 'did:key:z' }] }, /\/issuers/],
      [{ issuers: [{ name: 'The mill' }] }, /\/issuers/],
      [{ onlyKnownIssuers: 1 }, /true or false/],
      [{ onlyKnownIssuer: true }, /onlyKnownIssuer;/],
    ]
    for (const [policy, message] of cases)
      assert.throws(() => readPolicy(policy, primitives), { name: 'PolicyUnreadable', message })
  })
})
