import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remember } from './remember.ts'

test('remembering keeps what is used, and no more than it may', () => {
  const known = new Map<string, number>()
  const keep = (key: string, value: number) => remember(known, { key, value, atMost: 2 })
  keep('a', 1)
  keep('b', 2)
  keep('a', 1)
  keep('c', 3)
  assert.deepEqual(
    [...known],
    [
      ['a', 1],
      ['c', 3],
    ],
  )
  keep('a', 4)
  assert.deepEqual(
    [...known],
    [
      ['c', 3],
      ['a', 4],
    ],
  )
})
