import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inGroups } from './in-groups.ts'

const alone = { ifItFails: 'try each alone' } as const

describe('work in groups', () => {
  test('is done once for calls of the same turn, and once for all that arrive during it', async () => {
    const groups: (readonly string[])[] = []
    const first = Promise.withResolvers<void>()
    const run = inGroups(async (items: readonly string[]) => {
      if (groups.push(items) === 1) await first.promise
      return items.map((item) => item.toUpperCase())
    }, alone)
    const early = [run('a'), run('b')]
    await nextTurn()
    const late = [run('c'), run('d'), run('c')]
    first.resolve()
    assert.deepEqual(await Promise.all([...early, ...late]), ['A', 'B', 'C', 'D', 'C'])
    assert.deepEqual(groups, [
      ['a', 'b'],
      ['c', 'd', 'c'],
    ])
  })

  test('is tried for each alone if a group fails: only the one at fault is rejected', async () => {
    const groups: number[] = []
    const run = inGroups(async (items: readonly number[]) => {
      groups.push(items.length)
      if (items.includes(2)) throw new Error('two')
      return items.map((item) => item * 10)
    }, alone)
    const settled = await Promise.allSettled([1, 2, 3].map(run))
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
      [10, 'Error: two', 30],
    )
    assert.deepEqual(groups, [3, 1, 1, 1])
    assert.equal(await run(4), 40, 'and later calls work')
  })

  test('rejects all of a group that fails if they must not be tried alone', async () => {
    const groups: number[] = []
    const run = inGroups(
      async (items: readonly number[]) => {
        groups.push(items.length)
        if (items.includes(2)) throw new Error('two')
        return items
      },
      { ifItFails: 'reject all' },
    )
    const settled = await Promise.allSettled([1, 2, 3].map(run))
    assert.deepEqual(new Set(settled.map(({ status }) => status)), new Set(['rejected']))
    assert.deepEqual(groups, [3])
    assert.equal(await run(4), 4, 'and later calls work')
  })

  test('has at most 32 items at once', async () => {
    const groups: number[] = []
    const run = inGroups(async (items: readonly number[]) => {
      groups.push(items.length)
      return items
    }, alone)
    const items = Array.from({ length: 70 }, (_, number) => number)
    assert.deepEqual(await Promise.all(items.map(run)), items)
    assert.deepEqual(groups, [32, 32, 6])
  })

  test('that gives too few results is rejected instead of leaving callers waiting', async () => {
    const run = inGroups<number, number>(async () => [], alone)
    await assert.rejects(run(1), /one result for each/)
  })
})
