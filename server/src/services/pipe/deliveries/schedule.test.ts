import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt, retryDelaysMs } from './schedule.ts'

const nowMs = Date.UTC(2026, 1, 3)
const seconds = (ms: number | undefined): number => ((ms ?? Number.NaN) - nowMs) / 1_000
const after = (tries: number, random = 0, retryAfter?: string): number =>
  seconds(nextAttemptAt({ tries, nowMs, random, retryAfter }))

test('an event has ten attempts: one at once, then after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h', () => {
  const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * 3_600)
  assert.deepEqual(
    retryDelaysMs.map((_, index) => after(index + 1)),
    [5, 300, 1_800, ...hours],
  )
  assert.equal(nextAttemptAt({ tries: 10, nowMs, random: 0, retryAfter: undefined }), undefined)
})

test('attempts that failed together are spread over a tenth of the pause after it', () => {
  assert.deepEqual([after(2, 0), after(2, 0.5), after(2, 1)], [300, 315, 330])
})

test('a receiver may ask for more time, in seconds or as a date, for a day at most, and never for less', () => {
  assert.equal(after(1, 0, '120'), 120)
  assert.equal(after(1, 0, new Date(nowMs + 60_000).toUTCString()), 60)
  assert.equal(after(1, 0, '99999999999'), 86_400)
  assert.equal(after(3, 0, '1'), 1_800)
  for (const odd of ['', 'soon', '-5', '1.5', new Date(nowMs - 60_000).toUTCString()])
    assert.equal(after(1, 0, odd), 5, odd)
})
