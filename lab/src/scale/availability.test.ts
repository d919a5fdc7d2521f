import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { silencesIn } from './availability.ts'

describe('times in which nothing was done', () => {
  test('begin when the last thing was done, if something else waited by then', () => {
    assert.deepEqual(silencesIn({ wanted: [0, 10, 20], done: [5, 15, 400] }), [
      { fromMs: 0, toMs: 5 },
      { fromMs: 10, toMs: 15 },
      { fromMs: 20, toMs: 400 },
    ])
    assert.deepEqual(silencesIn({ wanted: [0, 1, 2], done: [400, 100, 90] }), [
      { fromMs: 0, toMs: 90 },
      { fromMs: 90, toMs: 100 },
      { fromMs: 100, toMs: 400 },
    ])
  })

  test('are none while nothing was wanted', () => {
    assert.deepEqual(silencesIn({ wanted: [0, 1_000], done: [0, 1_000] }), [])
    assert.deepEqual(silencesIn({ wanted: [], done: [] }), [])
  })
})
