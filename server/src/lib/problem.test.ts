import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import { Problem } from './problem.ts'

describe('a problem', () => {
  test('has the English words of its reasons as details', () => {
    const reasons = [because('must_be_time', { place: '/since' }), because('identity_revoked')]
    const problem = new Problem('validation_failed', { reasons })
    assert.deepEqual(problem.details, ['/since must be a time', 'The identity is revoked'])
    assert.deepEqual(problem.reasons, reasons)
  })

  test('cannot be thrown with a bare sentence', () => {
    // @ts-expect-error: a detail without a code
    assert.ok(new Problem('validation_failed', { details: ['/since must be a time'] }))
    // @ts-expect-error: a sentence is no reason
    assert.throws(() => new Problem('validation_failed', { reasons: ['/since must be a time'] }))
  })
})
