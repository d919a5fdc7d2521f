import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { changingBits } from '../../../../test/random-bits.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'

test('the token of a mailed link has 256 random bits, and is stored as SHA-256', () => {
  const tokens = Array.from({ length: 100 }, newLinkToken)
  assert.equal(changingBits(tokens.map((token) => Buffer.from(token.reveal(), 'base64url'))), 256)
  for (const token of tokens)
    assert.deepEqual(hashLinkToken(token), createHash('sha256').update(token.reveal()).digest())
})
