import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { changingBits } from '../../../../test/random-bits.ts'
import { Secret } from '../../../lib/secret.ts'
import {
  isSameHash,
  newRefreshToken,
  newSuccessorSalt,
  readRefreshToken,
  successorOf,
} from './refresh-token.ts'

const sessionId = '0198c0de-0000-7000-8000-000000000000'

describe('a refresh token', () => {
  test('has 384 random bits, and is stored as SHA-256', () => {
    const tokens = Array.from({ length: 100 }, () => newRefreshToken(sessionId))
    const random = tokens.map(({ token }) => Buffer.from(token.reveal().slice(37), 'base64url'))
    assert.equal(changingBits(random), 384)
    for (const { token, tokenHash } of tokens)
      assert.deepEqual(tokenHash, createHash('sha256').update(token.reveal()).digest())
  })

  test('names its session, and shares only the family with its successor', () => {
    const first = newRefreshToken(sessionId)
    const second = successorOf(first.token, newSuccessorSalt())
    const read = readRefreshToken(second.token)
    assert.equal(read?.sessionId, sessionId)
    assert.ok(isSameHash(read.familyHash, first.familyHash))
    assert.ok(isSameHash(read.tokenHash, second.tokenHash))
    assert.ok(!isSameHash(read.tokenHash, first.tokenHash))
    assert.equal(second.token.reveal().length, first.token.reveal().length)
  })

  test('has the same successor for the same salt, and another for another token or salt', () => {
    const { token } = newRefreshToken(sessionId)
    const salt = newSuccessorSalt()
    const successor = successorOf(token, salt).token.reveal()
    assert.equal(successorOf(token, salt).token.reveal(), successor)
    assert.notEqual(successorOf(token, newSuccessorSalt()).token.reveal(), successor)
    assert.notEqual(successorOf(newRefreshToken(sessionId).token, salt).token.reveal(), successor)
  })

  test('is not read from text of another form', () => {
    const { token } = newRefreshToken(sessionId)
    const compact = token.reveal()
    for (const wrong of [
      '',
      'stolen',
      compact.slice(0, -1),
      `${compact}x`,
      compact.replace('.', ''),
      compact.toUpperCase(),
      `${compact.slice(0, -1)}=`,
    ]) {
      assert.equal(readRefreshToken(new Secret(wrong)), undefined, wrong)
    }
  })
})
