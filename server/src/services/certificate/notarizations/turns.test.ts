import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takeTurns } from './turns.ts'

type Answer = { readonly claimed?: readonly string[]; readonly lookedUpTo?: string }

/** Answers claims with these companies, and remembers after which one each began. */
const claimsOf = (...answers: readonly Answer[]) => {
  const asked: (readonly [number, string | undefined])[] = []
  const claim = takeTurns((limit, afterCompany) => {
    asked.push([limit, afterCompany])
    const { claimed = [], lookedUpTo } = answers[asked.length - 1] ?? {}
    return Promise.resolve({ claimed: claimed.map((companyId) => ({ companyId })), lookedUpTo })
  })
  return { asked, claim }
}

describe('turns of companies', () => {
  test('go on after the last company of a claim that used its limit, in whatever order it is given', async () => {
    const { asked, claim } = claimsOf({ claimed: ['b', 'c', 'a'] }, { claimed: ['d', 'd'] })
    assert.deepEqual(await claim(3), {
      claimed: [{ companyId: 'b' }, { companyId: 'c' }, { companyId: 'a' }],
      mayBeMore: true,
    })
    assert.equal((await claim(2)).mayBeMore, true)
    await claim(1)
    assert.deepEqual(asked, [
      [3, undefined],
      [2, 'c'],
      [1, 'd'],
    ])
  })

  test('begin again with all companies after a claim below its limit', async () => {
    const { asked, claim } = claimsOf({ claimed: ['a', 'b'] }, { claimed: ['c'] })
    assert.equal((await claim(2)).mayBeMore, true)
    assert.equal((await claim(2)).mayBeMore, true)
    await claim(2)
    assert.deepEqual(asked, [
      [2, undefined],
      [2, 'b'],
      [2, undefined],
    ])
  })

  test('end at once after a claim below its limit that looked at all companies', async () => {
    const { claim } = claimsOf({ claimed: ['a', 'b'] })
    assert.equal((await claim(3)).mayBeMore, false)
  })

  test('end when nothing waits, but not before the companies that were left out were asked', async () => {
    const { asked, claim } = claimsOf({ claimed: ['a'] }, {}, {})
    await claim(1)
    assert.deepEqual(await claim(1), { claimed: [], mayBeMore: true })
    assert.deepEqual(await claim(1), { claimed: [], mayBeMore: false })
    assert.deepEqual(asked.at(-1), [1, undefined])
  })

  test('reach companies behind many that have nothing due, and end after a round without any', async () => {
    const { asked, claim } = claimsOf({ lookedUpTo: 'm' }, { claimed: ['x'] }, { lookedUpTo: 'm' }, {})
    assert.deepEqual(await claim(2), { claimed: [], mayBeMore: true })
    assert.deepEqual(await claim(2), { claimed: [{ companyId: 'x' }], mayBeMore: true })
    assert.equal((await claim(2)).mayBeMore, true)
    assert.equal((await claim(2)).mayBeMore, false)
    assert.deepEqual(asked, [
      [2, undefined],
      [2, 'm'],
      [2, undefined],
      [2, 'm'],
    ])
  })
})
