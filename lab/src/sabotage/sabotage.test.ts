import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { proofsOf, readSabotages, type Sabotage, withFault } from './sabotages.ts'

const root = join(import.meta.dirname, '../../..')

describe('the sabotage of the scorecard', () => {
  test('breaks twenty rows, and each fault still has its place and a test', () => {
    const sabotages = readSabotages(root)
    assert.equal(new Set(sabotages.map(({ row }) => row)).size, 20)
    for (const one of sabotages) {
      const source = readFileSync(join(root, one.file), 'utf8')
      assert.notEqual(withFault(source, one), source, String(one.row))
      assert.ok(proofsOf(one).length > 0, `row ${one.row} has none of ${String(one.tests)}`)
    }
  })

  test('refuses a fault whose place is gone or not clear', () => {
    const fault: Sabotage = { row: 1, file: 'a.ts', text: 'a === b', fault: 'a !== b' }
    assert.equal(withFault('if (a === b) c()', fault), 'if (a !== b) c()')
    assert.throws(() => withFault('if (a == b) c()', fault), /0 times/)
    assert.throws(() => withFault('a === b && a === b', fault), /2 times/)
    assert.equal(withFault('a === b && a === b', { ...fault, everywhere: true }), 'a !== b && a !== b')
  })
})
