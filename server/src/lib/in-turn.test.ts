import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurns } from './in-turn.ts'

/** Work that ends when the test says so, and what of it has begun. */
const openWork = (atOnce: number, longestWaitMs = 600_000) => {
  const inTurn = createTurns({ atOnce, longestWaitMs })
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const { signal } = new AbortController()
  const start = (name: string, key = 'one', until = signal): Promise<string> => {
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return inTurn({ key, signal: until }, () => {
      begun.push(name)
      return end.promise
    })
  }
  const end = async (name: string, error?: Error): Promise<void> => {
    if (error === undefined) ends.get(name)?.resolve(`${name} is done`)
    else ends.get(name)?.reject(error)
    await nextTurn()
  }
  return { begun, start, end }
}

describe('work in turn', () => {
  test('is begun so often at once and no more, also after work that failed', async () => {
    const { begun, start, end } = openWork(2)
    const all = ['a', 'b', 'c', 'd'].map((name) => start(name))
    await nextTurn()
    assert.deepEqual(begun, ['a', 'b'])
    const failed = assert.rejects(all[1] ?? Promise.resolve(), /broken/)
    await end('b', new Error('broken'))
    await failed
    assert.deepEqual(begun, ['a', 'b', 'c'])
    assert.equal((await end('a'), await all[0]), 'a is done')
    assert.deepEqual(begun, ['a', 'b', 'c', 'd'])
    for (const name of ['c', 'd']) await end(name)
    const later = start('e')
    await end('e')
    assert.equal(await later, 'e is done')
  })

  test('of many for one key does not delay that of others', async () => {
    const { begun, start, end } = openWork(1)
    for (const name of ['a1', 'a2', 'a3']) void start(name, 'a')
    void start('b1', 'b')
    void start('c1', 'c')
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'b1', 'c1'])
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name)
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'a3'])
  })

  test('is not begun if nobody waits for it any more', async () => {
    const { begun, start, end } = openWork(1)
    const gone = new AbortController()
    void start('first')
    const left = [start('second', 'one', gone.signal), start('third', 'one', gone.signal)]
    void start('fourth')
    gone.abort(new Error('the client is gone'))
    for (const one of left) await assert.rejects(one, /the client is gone/)
    await assert.rejects(start('fifth', 'one', gone.signal), /the client is gone/)
    await end('first')
    assert.deepEqual(begun, ['first', 'fourth'])
  })

  test('is not begun if its turn does not come in time', async () => {
    const { begun, start, end } = openWork(1, 1)
    void start('first')
    await assert.rejects(start('second'), { code: 'unavailable', retryAfterSeconds: 5 })
    await end('first')
    assert.deepEqual(begun, ['first'])
  })
})
