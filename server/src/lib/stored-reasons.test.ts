import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { because } from '@millseal/contract/reasons'
import { readReasons, storedReasons } from './stored-reasons.ts'

const reasons = [because('identity_revoked'), because('no_active_node', { mode: 'live' })]

describe('reasons as two columns', () => {
  test('are read as they were stored, even if the sentences were cut', () => {
    assert.deepEqual(readReasons(storedReasons(reasons)), reasons)
    const cut = storedReasons(reasons, 20)
    assert.equal(cut.error, 'The identity is revo')
    assert.deepEqual(readReasons(cut), reasons)
  })

  test('are unknown beside a sentence that a process of an older release stored since', () => {
    const { reasons: earlier } = storedReasons(reasons)
    assert.equal(readReasons({ error: 'The receiver answered 500', reasons: earlier }), undefined)
    assert.equal(readReasons({ error: 'The receiver answered 500', reasons: null }), undefined)
    assert.equal(readReasons({ error: null, reasons: earlier }), undefined)
  })

  test('are unknown if no entry has the code any more', () => {
    const gone = JSON.stringify([{ code: 'gone', values: {} }])
    assert.equal(readReasons({ error: 'The moon is full', reasons: gone }), undefined)
  })
})
