import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remember } from './remember.ts'

test('remember() keeps the latest entries, up to the limit', () => {
  const known = new Map<string, number>()
  const store = (key: string, value: number) => remember(known, { key, value, atMost: 2 })
  store('a', 1)
  store('b', 2)
  store('a', 1)
  store('c', 3)
  assert.deepEqual(
    [...known],
    [
      ['a', 1],
      ['c', 3],
    ],
  )
  store('a', 4)
  assert.deepEqual(
    [...known],
    [
      ['c', 3],
      ['a', 4],
    ],
  )
})
