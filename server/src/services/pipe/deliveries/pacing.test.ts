import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { requestsPerReceiver } from '../../../ports/courier/courier.ts'
import { createPacing, least } from './pacing.ts'

const fast = { delivered: true, durationMs: 20 }
const slow = { delivered: true, durationMs: 1_500 }
const failed = { delivered: false, durationMs: 20 }

/** A webhook whose requests are always as many as it may have. */
const busyHook = (id: string) => {
  const pacing = createPacing()
  const limit = () => pacing.more.get(id) ?? least
  let running = 0
  return {
    limit,
    end(ended: Parameters<typeof pacing.end>[1]): void {
      for (; running < limit(); running += 1) pacing.begin(id)
      pacing.end(id, ended)
      running -= 1
    },
  }
}

describe('a webhook', () => {
  test('gets more requests at once as long as it answers fast, up to the limit', () => {
    const hook = busyHook('a')
    const limits = Array.from({ length: 40 }, () => {
      hook.end(fast)
      return hook.limit()
    })
    assert.deepEqual(limits.slice(0, 3), [least + 1, least + 2, least + 3])
    assert.equal(limits.at(-1), requestsPerReceiver)
  })

  test('gets half as many after each slow answer, and the least after a failure', () => {
    const hook = busyHook('a')
    while (hook.limit() < requestsPerReceiver) hook.end(fast)
    hook.end(slow)
    assert.equal(hook.limit(), requestsPerReceiver / 2)
    hook.end(failed)
    assert.equal(hook.limit(), least)
    hook.end(slow)
    assert.equal(hook.limit(), least)
  })

  test('gets no more for requests that came one by one, nor for one that was not made', () => {
    const pacing = createPacing()
    for (let turn = 0; turn < 100; turn += 1) {
      pacing.begin('a')
      pacing.end('a', fast)
    }
    for (let turn = 0; turn < least; turn += 1) pacing.begin('b')
    pacing.end('b', undefined)
    assert.equal(pacing.more.size, 0)
  })

  test('is forgotten once a thousand others answered fast later', () => {
    const pacing = createPacing()
    const grow = (id: string): void => {
      for (let turn = 0; turn < least; turn += 1) pacing.begin(id)
      for (let turn = 0; turn < least; turn += 1) pacing.end(id, fast)
    }
    for (let number = 0; number <= 1_000; number += 1) grow(`hook-${number}`)
    assert.equal(pacing.more.size, 1_000)
    assert.equal(pacing.more.has('hook-0'), false)
  })
})
