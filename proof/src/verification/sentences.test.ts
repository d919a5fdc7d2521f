import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { readingOf } from '../vectors/cases.fixture.ts'
import { record } from '../vectors/log.fixture.ts'
import { reviewCases } from '../vectors/reviews.corpus.fixture.ts'
import { headlineOf } from './headline.ts'
import { readPolicy } from './policy.ts'
import { checkIssuer, checkStatus, checkTime } from './sentences.ts'
import type { CountedCorrection } from './status.ts'
import { verifyBundle } from './verify-bundle.ts'

const did = 'did:key:z6Mk'
const time = '2026-11-22T05:10:00.000Z'

describe('a report', () => {
  test('says in the headline that an operator reviewed itself, which is genuine all the same', async () => {
    const own = (await reviewCases()).find(({ name }) => name === 'an operator that reviewed itself')
    assert.ok(own && 'bundle' in own && 'policy' in own && 'hash' in own.file)
    const { file, bundle, policy } = own
    const report = verifyBundle(
      { file, bundle, policy: readPolicy(policy, primitives), ...readingOf(own) },
      primitives,
    )
    assert.equal(report.verdict, 'genuine')
    assert.match(
      headlineOf(report).why,
      /\. The operator of this service is the issuer itself: no one else reviewed it\.$/,
    )
  })

  test('says who signed, and who confirms that', () => {
    const review = { reviewedAt: time, evidence: 'hash', isOwn: false }
    const known = { answer: 'yes', did, name: 'The Mill', vatId: 'DE123456789' } as const
    const reviewed = `Signed by The Mill (VAT id DE123456789), reviewed by the operator of the log on ${time}`
    const cases = [
      [
        { answer: 'no', did: undefined },
        'failed',
        'Signed by several keys: a certificate must have exactly one',
      ],
      [{ ...known, knownBy: 'policy' }, 'passed', `Signed by The Mill, whose key you trust (${did})`],
      [{ ...known, answer: 'no' }, 'failed', `Signed by key ${did}, which is not in your policy`],
      [{ answer: 'unknown', did }, 'unknown', `Signed by key ${did}; nobody says whose key it is`],
      [
        { ...known, answer: 'unknown' },
        'unknown',
        `Signed by key ${did}, which calls itself The Mill; the operator of the log has not confirmed that`,
      ],
      [{ ...known, knownBy: 'review', review }, 'passed', reviewed],
      [
        { ...known, knownBy: 'review', review, selfName: 'Another' },
        'passed',
        `${reviewed}; its key gave itself another name (Another), which nobody confirms`,
      ],
    ] as const
    for (const [issuer, outcome, says] of cases)
      assert.deepEqual(checkIssuer(issuer), { name: 'issuer', outcome, says })
  })

  test('says when the log recorded the certificate, or else when its issuer claims to have notarized it', () => {
    const says = (recorded: string | undefined, metadata: Readonly<Record<string, string>> | null) => {
      const check = checkTime({ time: recorded }, record(ownerOf(1), { lot: '1' }, metadata))
      assert.equal(check.name, 'time')
      return [check.outcome, check.says]
    }
    const claimed = `Notarized on ${time} according to its issuer; the log confirms no time`
    assert.deepEqual(says(time, { timestamp: 'x' }), ['passed', `Recorded by the log on ${time}`])
    assert.deepEqual(says(undefined, { timestamp: time }), ['unknown', claimed])
    const silent: readonly Parameters<typeof says>[1][] = [null, { note: 'x' }, { timestamp: 'some day' }]
    for (const metadata of silent)
      assert.deepEqual(says(undefined, metadata), ['unknown', 'The time is not known'])
  })

  test('says whether the certificate is still valid, and otherwise who decided that, when and why', () => {
    const says = (answer: 'yes' | 'no' | 'unknown', newest?: CountedCorrection, isStatusOld = false) => {
      const check = checkStatus({ asOf: time, isStatusOld, status: { answer, newest, corrections: [] } })
      assert.equal(check.name, 'status')
      return [check.outcome, check.says]
    }
    const shared = { time, reason: 'Wrong heat', transactionId: 'ab' }
    assert.deepEqual(says('yes'), ['passed', `Not withdrawn or replaced as of ${time}`])
    assert.deepEqual(says('unknown'), [
      'unknown',
      'It is not known whether the certificate was withdrawn or replaced',
    ])
    assert.deepEqual(says('yes', undefined, true), ['unknown', `Status of ${time}: ask again`])
    assert.deepEqual(says('no', { kind: 'withdrawn', by: 'issuer', ...shared }, true), [
      'failed',
      `Withdrawn by its issuer on ${time}: Wrong heat`,
    ])
    assert.deepEqual(says('no', { kind: 'replaced', by: 'operator', replacedBy: 'cd', ...shared }), [
      'failed',
      `Replaced by another certificate, by the operator of the log on ${time}: Wrong heat (transaction cd)`,
    ])
    assert.deepEqual(says('no', { kind: 'revoked', by: 'recovery', since: time, ...shared }), [
      'failed',
      `The key that signed it is revoked from ${time} on, by the recovery key of its issuer on ${time}: Wrong heat`,
    ])
  })
})
