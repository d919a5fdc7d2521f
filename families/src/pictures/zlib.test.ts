import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deflateSync } from 'node:zlib'
import { compress, decompress } from './zlib.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

test('compressing and decompressing keep no buffers until all memory is collected', () => {
  const bytes = Buffer.alloc(64_000, 'values of a certificate ')
  const compressed = deflateSync(bytes)
  collect({ type: 'major' })
  const before = process.memoryUsage().arrayBuffers
  for (let turn = 0; turn < 100; turn += 1) {
    assert.equal(decompress(compressed, { chunkSize: bytes.length + 1 }).length, bytes.length)
    assert.ok(compress(bytes, { level: 2 }).length < bytes.length)
    // Frees only what is short-lived.
    collect({ type: 'minor' })
  }
  const kept = (process.memoryUsage().arrayBuffers - before) / 1_000_000
  assert.ok(kept < 2, `${kept} MB are kept`)
})
