import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUuid, uuidv7, uuidv7Bound } from './uuid.ts'

const now = Date.UTC(2026, 10, 23, 8, 30)

describe('a UUIDv7', () => {
  test('is in the order in which a process made it, also within one millisecond', () => {
    const made = Array.from({ length: 10_000 }, () => uuidv7(now))
    assert.deepEqual(made.toSorted(), made)
    assert.equal(new Set(made).size, made.length)
    assert.ok(made.every((id) => isUuid(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? '')))
  })

  test('stays in the order of its times, when those are given out of order', () => {
    const [late, early, next] = [uuidv7(now + 5), uuidv7(now + 4), uuidv7(now + 6)]
    assert.deepEqual([late, early, next].toSorted(), [early, late, next])
  })

  test('is on the side of a bound that its time is on', () => {
    const bound = uuidv7Bound(now)
    for (let i = 0; i < 1_000; i += 1) {
      assert.ok(uuidv7(now - 1) < bound)
      assert.ok(uuidv7(now) >= bound)
    }
  })
})
