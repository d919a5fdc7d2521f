import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { doubtsIn } from './findings.ts'

describe('the doubts about a valid certificate', () => {
  const finding = { pointer: '/Certificate/C74', reason: 'P 0.030 % is above the maximum 0.025 %' }
  const warning = { pointer: '/Certificate', reason: 'does not refer to an order' }

  test('are each told once, although the warnings of a report repeat its findings', () => {
    const report = { isValid: true, warnings: [warning, finding], findings: [finding] }
    assert.deepEqual(doubtsIn(report), { warnings: [warning], findings: [finding] })
  })

  test('keep a warning at the place of a finding that says something else', () => {
    const other = { ...warning, pointer: finding.pointer }
    assert.deepEqual(doubtsIn({ warnings: [other], findings: [finding] }).warnings, [other])
  })

  test('are none in the answer of a server that reports nothing', () => {
    assert.deepEqual(doubtsIn({ RefSchemaUrl: 'https://example.com' }), { warnings: [], findings: [] })
  })
})
