import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { nodePrimitives } from '@millseal/proof/node'
import { emptyHashIndex, restoreHashIndex } from './hash-index.ts'

const hashOf = (number: number): string => createHash('sha256').update(String(number)).digest('hex')
const salted = { salt: 'a salt', hashing: nodePrimitives }

describe('an index of hashes', () => {
  test('finds each entry again, in less than 24 bytes, and after it was stored', () => {
    const index = restoreHashIndex(emptyHashIndex(), salted)
    const many = 50_000
    for (let entry = 0; entry < many; entry += 1) index.add(hashOf(entry), entry)
    const restored = restoreHashIndex(index.state, salted)
    for (let entry = 0; entry < many; entry += 1) assert.ok(restored.find(hashOf(entry)).includes(entry))
    assert.ok(index.state.slots.byteLength < many * 24)
    restored.add(hashOf(many), many)
    assert.ok(restored.find(hashOf(many)).includes(many))
  })

  test('mistakes hardly any hash for another one, even if an attacker chooses them', () => {
    const index = restoreHashIndex(emptyHashIndex(), salted)
    const alike = (entry: number): string => entry.toString(16).padStart(64, '0')
    for (let entry = 0; entry < 20_000; entry += 1) index.add(alike(entry), entry)
    const mistaken = Array.from({ length: 20_000 }, (_, at) => index.find(alike(20_000 + at))).flat()
    assert.ok(mistaken.length < 10, `${mistaken.length}`)
  })
})
