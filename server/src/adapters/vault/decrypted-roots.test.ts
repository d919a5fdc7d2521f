import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { movableClock } from '../../../test/movable-clock.ts'
import { descend, type KeyNode } from '../../lib/key-derivation/slip-0010.ts'
import { rememberDecrypted } from './decrypted-roots.ts'

const rootOf = (walletId: string, content = 'encrypted') =>
  ({ walletId, mode: 'test', encrypted: Buffer.from(content) }) as const

const master = (fill: number): KeyNode => Buffer.alloc(64, fill)
const isGone = (node: KeyNode): boolean => node.every((byte) => byte === 0)
const levels = [44, 822, 0, 0]

describe('remembered decrypted roots', () => {
  test('are decrypted once, again after they expire, and overwritten when they expire', () => {
    const clock = movableClock()
    using roots = rememberDecrypted({ clock, seconds: 60, maxRoots: 10 })
    const opened: KeyNode[] = []
    const open = () => opened[opened.push(master(7)) - 1] ?? assert.fail()
    const first = roots.nodeOf(rootOf('one'), levels, open)
    assert.deepEqual(first, descend(master(7), levels))
    assert.equal(roots.nodeOf(rootOf('one'), levels, open), first)
    assert.notDeepEqual(roots.nodeOf(rootOf('one'), [44, 822, 1, 0], open), first)
    assert.equal(opened.length, 1)
    clock.advance({ seconds: 61 })
    assert.notEqual(roots.nodeOf(rootOf('one'), levels, open), first)
    assert.equal(opened.length, 2)
    assert.ok(isGone(first) && isGone(opened[0] ?? assert.fail()))
  })

  test('are found only by the same encrypted bytes', () => {
    using roots = rememberDecrypted({ clock: movableClock(), seconds: 60, maxRoots: 10 })
    roots.nodeOf(rootOf('one', 'encrypted'), levels, () => master(1))
    const fail = () => {
      throw new Error('not decrypted')
    }
    assert.throws(() => roots.nodeOf(rootOf('one', 'swapped'), levels, fail), /not decrypted/)
    const live = { ...rootOf('one', 'encrypted'), mode: 'live' } as const
    assert.throws(() => roots.nodeOf(live, levels, fail), /not decrypted/)
  })

  test('are limited in number, as are their branches; the oldest is overwritten, like one that is deleted', () => {
    const nodes: KeyNode[] = []
    {
      using roots = rememberDecrypted({ clock: movableClock(), seconds: 60, maxRoots: 3 })
      for (const [at, name] of ['one', 'two', 'three', 'four'].entries()) {
        nodes.push(roots.nodeOf(rootOf(name), levels, () => master(at + 1)))
      }
      assert.deepEqual(nodes.map(isGone), [true, false, false, false])
      roots.forget('three')
      assert.deepEqual(nodes.map(isGone), [true, false, true, false])
      const branches = Array.from({ length: 17 }, (_, account) =>
        roots.nodeOf(rootOf('two'), [44, 822, account, 1], () => assert.fail()),
      )
      assert.equal(branches.filter(isGone).length, 1)
      nodes.push(...branches)
    }
    assert.ok(nodes.every(isGone))
  })
})
