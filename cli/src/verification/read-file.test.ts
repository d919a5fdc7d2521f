import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCertificateJson } from './read-file.ts'

test('a certificate has at most 64 levels, as on the server', () => {
  const nested = (levels: number) => Buffer.from(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`)
  assert.match(readCertificateJson(nested(64), 'It').hash.hash, /^[0-9a-f]{64}$/)
  assert.throws(() => readCertificateJson(nested(65), 'It'), /^Error: It is neither a PDF nor JSON: /)
})
