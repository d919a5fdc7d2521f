import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from '../../../lib/secret.ts'
import { enrolmentOf, newTotpSecret, stepOfCode } from './totp.ts'

/** RFC 6238 appendix B, SHA-1: the time in seconds and the last six of the eight digits. */
const published: readonly (readonly [number, string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]
const secret = new Secret<Uint8Array>(Buffer.from('12345678901234567890'))

describe('codes of an authenticator', () => {
  test('match the codes and time steps published in RFC 6238', () => {
    for (const [seconds, code] of published) {
      assert.equal(stepOfCode(secret, code, seconds * 1_000), Math.floor(seconds / 30), code)
    }
  })

  test('are accepted one step early and one step late, but no further', () => {
    const stepAt = (seconds: number) => stepOfCode(secret, '050471', seconds * 1_000)
    const step = Math.floor(1_111_111_111 / 30)
    const [first, last] = [step * 30, step * 30 + 29]
    for (const seconds of [first - 30, first, last, last + 30]) assert.equal(stepAt(seconds), step)
    for (const seconds of [first - 31, last + 31]) assert.equal(stepAt(seconds), undefined)
  })

  test('consist of exactly six ASCII digits', () => {
    for (const code of ['', '50471', '0050471', '05047a', '٠٥٠٤٧١', '💥💥💥', ' 05047', '-50471']) {
      assert.equal(stepOfCode(secret, code, 1_111_111_111_000), undefined, code)
    }
  })
})

describe('the secret of an authenticator', () => {
  test('has 160 random bits', () => {
    const [one, other] = [newTotpSecret(), newTotpSecret()]
    assert.equal(one.reveal().length, 20)
    assert.notDeepEqual(one.reveal(), other.reveal())
  })

  test('is shown in base32 and as a URI with the issuer and the account', () => {
    const shown = enrolmentOf(secret, 'anna+mill@example.com')
    assert.equal(shown.secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const uri = new URL(shown.otpauthUri)
    assert.equal(uri.protocol, 'otpauth:')
    assert.equal(uri.host, 'totp')
    assert.equal(decodeURIComponent(uri.pathname), '/Millseal:anna+mill@example.com')
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      issuer: 'Millseal',
      secret: shown.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
