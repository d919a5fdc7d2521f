import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { movableClock } from '../../../../test/movable-clock.ts'
import { Secret } from '../../../lib/secret.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

const minuteFrom = (fromMs: number) => ({ fromMs, untilMs: fromMs + 60_000 })

describe('the cache of verified signatures', () => {
  test('finds a token until it expires, and no other token', () => {
    const clock = movableClock()
    const tokens = createVerifiedTokens<string>({ clock })
    tokens.store(new Secret('a.b.c'), 'claims', minuteFrom(clock.now()))
    assert.equal(tokens.find(new Secret('a.b.c')), 'claims')
    assert.equal(tokens.find(new Secret('a.b.d')), undefined)
    clock.advance({ seconds: 61 })
    assert.equal(tokens.find(new Secret('a.b.c')), undefined)
  })

  test('does not find a token that was issued later than it is now', () => {
    const clock = movableClock()
    const tokens = createVerifiedTokens<string>({ clock })
    tokens.store(new Secret('a.b.c'), 'claims', minuteFrom(clock.now()))
    clock.jump({ seconds: -10 })
    assert.equal(tokens.find(new Secret('a.b.c')), undefined)
  })

  test('removes the oldest entry when it is full', () => {
    const clock = movableClock()
    const tokens = createVerifiedTokens<number>({ clock, capacity: 2 })
    for (const number of [1, 2, 3])
      tokens.store(new Secret(`token ${number}`), number, minuteFrom(clock.now()))
    assert.deepEqual(
      [1, 2, 3].map((number) => tokens.find(new Secret(`token ${number}`))),
      [undefined, 2, 3],
    )
  })
})
