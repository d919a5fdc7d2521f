import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { codeOf, hashPrefixOf } from './code.ts'

test('a code has 22 characters, is the only one of its certificate, and leads back to half of the hash', () => {
  for (const text of ['', 'a', 'b', 'certificate']) {
    const hash = createHash('sha256').update(text).digest('hex')
    const code = codeOf(hash)
    assert.match(code, /^[\w-]{21}[AQgw]$/)
    assert.equal(hashPrefixOf(code), hash.slice(0, 32))
  }
  const bytes = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  assert.equal(codeOf(`${bytes.toString('hex')}${'f'.repeat(32)}`), 'AAECAwQFBgcICQoLDA0ODw')
})
