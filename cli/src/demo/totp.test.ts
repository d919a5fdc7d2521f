import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf } from './totp.ts'

test('TOTP codes match the test vectors of RFC 6238, appendix B', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(codeOf(secret, seconds * 1_000), code)
  }
})
