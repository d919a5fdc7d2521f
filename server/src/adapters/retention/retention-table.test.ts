import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { createRetentionTime } from './retention-table.ts'

const hourMs = 3_600_000

describe('the time by which old data is erased', () => {
  test('is the present, but after a jump of the clock comes at most two hours further in each run', async () => {
    await using database = await openTestDatabase()
    const clock = movableClock()
    using _still = clock.freeze()
    const start = clock.now()
    const retention = createRetentionTime({ database, clock })
    const runs = async () => (await retention.advance('bodies')).getTime() - start
    assert.equal(await runs(), 0)
    clock.advance({ minutes: 60 })
    assert.equal(await runs(), hourMs)
    clock.jump({ days: 200 })
    for (const hours of [3, 5, 7]) assert.equal(await runs(), hours * hourMs)
    clock.jump({ days: -200 })
    assert.equal(await runs(), hourMs, 'never later than the clock')
    clock.jump({ days: -3 })
    assert.equal(await runs(), hourMs - 72 * hourMs)
    clock.jump({ days: 3 })
    clock.advance({ minutes: 600 })
    assert.equal(await runs(), 9 * hourMs, 'continues where it was')
    assert.equal(await runs(), 11 * hourMs)
    assert.equal(await runs(), 11 * hourMs)
    assert.equal((await retention.advance('events')).getTime(), clock.now(), 'each kind on its own')
  })

  test('is the present again a day after an outage of a year, if nobody corrected the clock', async () => {
    await using database = await openTestDatabase()
    const clock = movableClock()
    using _still = clock.freeze()
    const retention = createRetentionTime({ database, clock })
    const behindHours = async () => (clock.now() - (await retention.advance('bodies')).getTime()) / hourMs
    assert.equal(await behindHours(), 0)
    clock.jump({ days: 365 })
    for (let run = 1; run <= 24; run += 1) {
      assert.equal(await behindHours(), 365 * 24 - run - 1)
      clock.advance({ minutes: 60 })
    }
    assert.equal(await behindHours(), 0)
    clock.jump({ days: 30 })
    assert.equal(await behindHours(), 30 * 24 - 2, 'the next jump starts the day again')
  })

  test('a clock that is corrected in time starts the day again', async () => {
    await using database = await openTestDatabase()
    const clock = movableClock()
    using _still = clock.freeze()
    const retention = createRetentionTime({ database, clock })
    const run = () => retention.advance('bodies')
    await run()
    clock.jump({ days: 365 })
    for (let nth = 1; nth <= 20; nth += 1) await run()
    clock.jump({ days: -365 })
    await run()
    clock.jump({ days: 365 })
    for (let nth = 1; nth <= 20; nth += 1) {
      assert.ok((await run()).getTime() < clock.now() - 300 * 24 * hourMs)
    }
  })
})
