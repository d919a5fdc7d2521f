import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches } from './in-batches.ts'

describe('batched look-ups', () => {
  test('share one look-up per turn; later calls wait for the next one and never get an older result', async () => {
    const asked: string[][] = []
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const find = inBatches<string>(async (keys) => {
      const number = asked.push([...keys])
      await answers[number - 1]?.promise
      return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, `${key}/${number}`]))
    })
    const first = [find('a'), find('c')]
    await nextTurn()
    const others = [find('a'), find('b'), find('nobody'), find('b')]
    answers[0]?.resolve()
    assert.deepEqual(await Promise.all(first), ['a/1', 'c/1'])
    answers[1]?.resolve()
    assert.deepEqual(await Promise.all(others), ['a/2', 'b/2', undefined, 'b/2'])
    assert.deepEqual(asked, [
      ['a', 'c'],
      ['a', 'b', 'nobody'],
    ])
  })

  test('all fail if their look-up fails, and the next call looks up again', async () => {
    let fails = true
    const find = inBatches<number>(async (keys) => {
      if (fails) throw new Error('down')
      return new Map(keys.map((key) => [key, 1]))
    })
    await assert.rejects(find('a'), /down/)
    fails = false
    assert.equal(await find('a'), 1)
  })
})
