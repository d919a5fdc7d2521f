import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'
import type { VatAnswer, VatRegistry } from '../../ports/vat-registry/vat-registry.ts'
import { describeVatRegistry, suiteCompany, suiteTime } from '../../ports/vat-registry/vat-registry.suite.ts'
import { createCachedVatRegistry } from './cached.ts'
import { startFakeVies } from './fake-vies.suite.ts'
import { createViesRegistry } from './vies.ts'

describeVatRegistry('cached', { answers: true }, async () => {
  const clock = { now: () => suiteTime, steady: () => suiteTime }
  const vies = await startFakeVies()
  const registry = createCachedVatRegistry({ clock, registry: createViesRegistry({ clock, url: vies.url }) })
  return { registry, [Symbol.asyncDispose]: () => vies[Symbol.asyncDispose]() }
})

const never = new AbortController().signal
const minuteMs = 60_000
const registered: VatAnswer = { status: 'registered', name: 'ACME', checkedAt: new Date(suiteTime) }
const notRegistered: VatAnswer = { status: 'not_registered', checkedAt: new Date(suiteTime) }
const unavailable: VatAnswer = { status: 'unknown', reason: 'unavailable', retryAfterSeconds: 300 }

/** A register with given answers that counts its requests. */
const startCounting = (answer: (vat: RegisterNumber) => VatAnswer | Promise<VatAnswer>, capacity = 1_000) => {
  const asked: string[] = []
  const clock = { time: suiteTime, now: () => clock.time, steady: () => clock.time }
  const registry: VatRegistry = {
    async lookUp(vat) {
      asked.push(vat.number)
      return answer(vat)
    },
  }
  return { asked, clock, cached: createCachedVatRegistry({ registry, clock, capacity }) }
}

describe('an answer is cached', () => {
  const keepings: readonly [string, VatAnswer, number][] = [
    ['a day when the number is registered', registered, 24 * 60 * minuteMs],
    ['an hour when it is not', notRegistered, 60 * minuteMs],
    ['a minute when the register is down', unavailable, minuteMs],
  ]
  for (const [name, answer, keptMs] of keepings) {
    test(name, async () => {
      const { asked, clock, cached } = startCounting(() => answer)
      assert.equal(await cached.lookUp(suiteCompany, never), answer)
      clock.time += keptMs - 1
      assert.equal(await cached.lookUp(suiteCompany, never), answer)
      assert.equal(asked.length, 1)
      clock.time += 1
      assert.equal(await cached.lookUp(suiteCompany, never), answer)
      assert.equal(asked.length, 2)
    })
  }

  test('only for its own number', async () => {
    const { asked, cached } = startCounting(({ number }) => (number === '1' ? registered : notRegistered))
    assert.equal(await cached.lookUp({ country: 'AT', number: '1' }, never), registered)
    assert.equal(await cached.lookUp({ country: 'AT', number: '2' }, never), notRegistered)
    assert.equal(await cached.lookUp({ country: 'BE', number: '1' }, never), registered)
    assert.equal(asked.length, 3)
  })

  test('not if it needed no request, or if the clock was set back', async () => {
    const free = startCounting(() => ({ status: 'unknown', reason: 'not_covered', retryAfterSeconds: 1 }))
    for (const _ of [1, 2]) await free.cached.lookUp(suiteCompany, never)
    assert.equal(free.asked.length, 2)
    const back = startCounting(() => registered)
    await back.cached.lookUp(suiteCompany, never)
    back.clock.time -= 1
    await back.cached.lookUp(suiteCompany, never)
    assert.equal(back.asked.length, 2)
  })

  test('up to the capacity: the least recently used one is dropped first', async () => {
    const { asked, cached } = startCounting(() => registered, 3)
    const want = (number: string): Promise<VatAnswer> => cached.lookUp({ country: 'AT', number }, never)
    for (const number of ['1', '2', '3', '1', '4']) await want(number)
    asked.length = 0
    for (const number of ['1', '3', '4', '2']) await want(number)
    assert.deepEqual(asked, ['2'])
  })
})

describe('a request is sent once', () => {
  test('for simultaneous calls with the same number', async () => {
    const { promise, resolve } = Promise.withResolvers<VatAnswer>()
    const { asked, cached } = startCounting(() => promise)
    const waiting = Array.from({ length: 50 }, () => cached.lookUp(suiteCompany, never))
    resolve(registered)
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([registered]))
    assert.equal(asked.length, 1)
  })

  test('and continues when one of its callers aborts', async () => {
    const { promise, resolve } = Promise.withResolvers<VatAnswer>()
    const { asked, cached } = startCounting(() => promise)
    const leaving = new AbortController()
    const [left, stayed] = [cached.lookUp(suiteCompany, leaving.signal), cached.lookUp(suiteCompany, never)]
    leaving.abort(new Error('left'))
    await assert.rejects(left, /left/)
    resolve(registered)
    assert.equal(await stayed, registered)
    assert.equal(asked.length, 1)
  })

  test('and again after it was rejected, which no register should do', async () => {
    let fails = true
    const { asked, cached } = startCounting(() => {
      if (fails) throw new Error('broken promise')
      return registered
    })
    await assert.rejects(cached.lookUp(suiteCompany, never), /broken promise/)
    fails = false
    assert.equal(await cached.lookUp(suiteCompany, never), registered)
    assert.equal(asked.length, 2)
  })
})
