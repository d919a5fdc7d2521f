import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rememberBriefly } from './remember-briefly.ts'

describe('rememberBriefly()', () => {
  test('looks a value up again only after its time, counted from the start of the look-up', async () => {
    let now = 0
    const asked: string[] = []
    const find = rememberBriefly(
      async (key) => {
        asked.push(key)
        now += 400
        return key === 'nobody' ? undefined : `${key} at ${now}`
      },
      { ms: 1_000, atMost: 2, now: () => now },
    )
    assert.equal(await find('a'), 'a at 400')
    now = 999
    assert.equal(await find('a'), 'a at 400')
    now = 1_000
    assert.equal(await find('a'), 'a at 1400')
    assert.deepEqual(asked, ['a', 'a'])
  })

  test('neither caches misses nor exceeds its limit', async () => {
    const asked: string[] = []
    const find = rememberBriefly(
      async (key) => {
        asked.push(key)
        return key === 'nobody' ? undefined : key
      },
      { ms: 1_000, atMost: 2, now: () => 0 },
    )
    for (const key of ['nobody', 'nobody', 'a', 'b', 'c', 'b', 'a']) await find(key)
    assert.deepEqual(asked, ['nobody', 'nobody', 'a', 'b', 'c', 'a'])
  })

  test('shares a look-up between calls at the same time, unless it fails or finds nothing', async () => {
    const asked: PromiseWithResolvers<string | undefined>[] = []
    const find = rememberBriefly(
      (_key: string) => {
        const one = Promise.withResolvers<string | undefined>()
        asked.push(one)
        return one.promise
      },
      { ms: 1_000, atMost: 2, now: () => 0 },
    )
    const failing = [find('a'), find('a')]
    assert.equal(asked.length, 1)
    asked[0]?.reject(new Error('down'))
    assert.deepEqual(
      (await Promise.allSettled(failing)).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    const missing = [find('a'), find('a')]
    assert.equal(asked.length, 2)
    asked[1]?.resolve(undefined)
    assert.equal(await missing[0], undefined)
    asked[2]?.resolve('created in between')
    assert.equal(await missing[1], 'created in between')
    assert.equal(await find('a'), 'created in between')
    assert.equal(asked.length, 3)
  })
})
