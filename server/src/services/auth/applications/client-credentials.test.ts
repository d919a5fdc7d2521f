import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { changingBits } from '../../../../test/random-bits.ts'
import { Secret } from '../../../lib/secret.ts'
import {
  checksumOf,
  hashClientSecret,
  isClientSecret,
  newClientId,
  newClientSecret,
} from './client-credentials.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The 43 characters between prefix and checksum, read in base 62. */
const randomOf = (secret: Secret): Buffer => {
  const value = Array.from(secret.reveal().slice(4, 47)).reduce(
    (sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)),
    0n,
  )
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}

describe('client id and client secret', () => {
  test('consist of letters and digits and are unique, and a secret has a prefix and a checksum', () => {
    const ids = new Set(Array.from({ length: 200 }, newClientId))
    const secrets = new Set(Array.from({ length: 200 }, () => newClientSecret().reveal()))
    assert.equal(ids.size, 200)
    assert.equal(secrets.size, 200)
    for (const id of ids) assert.match(id, /^[0-9A-Za-z]{32}$/)
    for (const secret of secrets) {
      const [, random = '', checksum] = /^mss_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(secret) ?? []
      assert.equal(checksum, checksumOf(random), secret)
    }
  })

  test('a secret has 256 random bits, and is stored as SHA-256', () => {
    const secrets = Array.from({ length: 100 }, newClientSecret)
    assert.equal(changingBits(secrets.map(randomOf)), 256)
    for (const secret of secrets)
      assert.deepEqual(hashClientSecret(secret), createHash('sha256').update(secret.reveal()).digest())
  })

  test('a secret matches only its own hash', () => {
    const secret = newClientSecret()
    assert.ok(isClientSecret(secret, hashClientSecret(secret)))
    assert.ok(!isClientSecret(newClientSecret(), hashClientSecret(secret)))
    assert.ok(!isClientSecret(new Secret(''), hashClientSecret(secret)))
    assert.ok(!isClientSecret(secret, undefined))
  })

  test('the checksum is CRC-32, so scanners need no code of Millseal', () => {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262, in base 62.
    assert.equal(checksumOf('123456789'), '3jZRME')
  })
})
