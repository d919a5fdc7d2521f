import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WrongCodes } from './factors.store.ts'
import { countWrongCode, isLocked } from './wrong-codes.ts'

const none: WrongCodes = { failures: 0, failedAt: null }
const minute = 60_000
const at = (minutes: number): Date => new Date(1_800_000_000_000 + minutes * minute)
const wrongAt = (...minutes: number[]): WrongCodes =>
  minutes.reduce<WrongCodes>((wrong, each) => countWrongCode(wrong, at(each)), none)

describe('wrong codes', () => {
  test('lock for an hour after the fifth within an hour', () => {
    assert.equal(isLocked(wrongAt(0, 0, 0, 0), at(0)), false)
    const locked = wrongAt(0, 0, 0, 0, 59)
    assert.equal(isLocked(locked, at(59)), true)
    assert.equal(isLocked(locked, at(118)), true)
    assert.equal(isLocked(locked, at(119)), false)
  })

  test('lock after any five within an hour, not only within a clock hour', () => {
    assert.equal(isLocked(wrongAt(0, 58, 58, 58, 61), at(61)), true)
    assert.equal(isLocked(wrongAt(59, 59, 60, 61, 62), at(62)), true)
  })

  test('are no longer counted after an hour without one, even if they locked', () => {
    assert.equal(isLocked(wrongAt(0, 0, 0, 0, 60), at(60)), false)
    assert.deepEqual(wrongAt(0, 0, 0, 0, 0, 60), { failures: 1, failedAt: at(60) })
  })
})
