import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inGroups, inGroupsOf } from './in-groups.ts'

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

  test('is begun while a slow group is at work, if two may be', async () => {
    const groups: string[] = []
    const [slow, slower] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const run = inGroups(
      async (items: readonly string[]) => {
        groups.push(items.join())
        if (items.includes('slow')) await slow.promise
        if (items.includes('slower')) await slower.promise
        return items
      },
      { ...alone, atOnce: 2 },
    )
    const first = [run('slow'), run('with it')]
    await nextTurn()
    const second = run('slower')
    await nextTurn()
    const third = [run('c'), run('d')]
    await nextTurn()
    assert.deepEqual(groups, ['slow,with it', 'slower'])
    slow.resolve()
    await Promise.all([...first, ...third])
    assert.deepEqual(groups, ['slow,with it', 'slower', 'c,d'])
    slower.resolve()
    assert.equal(await second, 'slower')
  })

  test('waits for others since the last group began, until the time is up, the group is full or no other can come', async () => {
    const groups: string[] = []
    let expected = 9
    const runWith = (ms: number) =>
      inGroups(
        async (items: readonly string[]) => {
          groups.push(items.join())
          return items
        },
        { ...alone, most: 3, spacing: { ms, expected: () => expected } },
      )
    const minute = runWith(60_000)
    await minute('the first does not wait')
    const waiting = [minute('a'), minute('b')]
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    assert.deepEqual(groups, ['the first does not wait'])
    await Promise.all([...waiting, minute('c')])
    expected = 1
    await minute('d')
    expected = 9
    const moment = runWith(5)
    await moment('e')
    await moment('f')
    assert.deepEqual(groups, ['the first does not wait', 'a,b,c', 'd', 'e', 'f'])
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

test('groups have items of one key: those of another key neither wait for them nor fail with them', async () => {
  const groups: string[] = []
  const slow = Promise.withResolvers<void>()
  const work = async (items: readonly string[]) => {
    groups.push(items.join())
    if (items.includes('a1')) await slow.promise
    if (items.includes('b1')) throw new Error('b1')
    return items
  }
  const run = inGroupsOf(([key = '']: string) => key, work, { ifItFails: 'reject all' })
  const early = run('a1')
  await nextTurn()
  const waiting = run('a2')
  await assert.rejects(Promise.all([run('b1'), run('b2')]), /b1/)
  slow.resolve()
  assert.deepEqual(await Promise.all([early, waiting]), ['a1', 'a2'])
  assert.deepEqual(groups, ['a1', 'b1,b2', 'a2'])
})
