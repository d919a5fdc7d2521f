import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { createRecentCheck } from './recent-check.ts'

test('does not wait for something slow, checks once at a time, and has the result later', async () => {
  const gate = Promise.withResolvers<void>()
  let checks = 0
  const check = () => {
    checks += 1
    return gate.promise
  }
  const read = createRecentCheck({ check, maxAgeMs: 600_000, waitMs: 1, deadlineMs: 600_000 })
  assert.deepEqual(await Promise.all([read(), read()]), [undefined, undefined])
  gate.reject(new Error('it is down'))
  const result = await eventually(read)
  assert.equal(result.error, 'it is down')
  assert.equal(checks, 1)
})

test('checks again after a while', async () => {
  let checks = 0
  const check = async () => {
    checks += 1
    if (checks === 1) throw new Error('it is down')
  }
  const read = createRecentCheck({ check, maxAgeMs: -1, waitMs: 60_000, deadlineMs: 600_000 })
  assert.equal((await read())?.error, 'it is down')
  assert.equal((await read())?.error, undefined)
})
