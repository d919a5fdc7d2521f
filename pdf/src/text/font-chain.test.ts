import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { regular, strong, symbols } from '../../testing/fonts.ts'
import type { Font } from '../fonts/font.ts'
import { createFontChain } from './font-chain.ts'

describe('fonts in an order', () => {
  test('are each asked once for a character, however often it is there', () => {
    let asked = 0
    const counting: Font = {
      ...regular,
      get glyphs() {
        asked += 1
        return regular.glyphs
      },
    }
    const many = Array.from({ length: 300 }, () => counting)
    const chain = createFontChain(counting, [...many, symbols])
    for (let turn = 0; turn < 1_000; turn += 1)
      for (const character of '⚙⌀') assert.equal(chain.fontOf(character), symbols)
    assert.equal(asked, 2 * 301)
  })

  test('give the first that has a letter with all its marks, and the first of all if none has', () => {
    const chain = createFontChain(strong, [regular, symbols])
    assert.equal(chain.fontOf('e'), strong)
    assert.equal(chain.fontOf('x\u030D'), symbols)
    assert.equal(chain.fontOf('\u{1F680}'), strong)
    assert.equal(chain.covers(0x2699), true)
    assert.equal(chain.covers(0x1_f6_80), false)
  })
})
