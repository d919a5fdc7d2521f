import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openTypeface } from '../../testing/fonts.ts'
import type { Page } from '../document/page.ts'
import type { LineOfText } from '../document/page-text.ts'
import { createObjectFile, type Reference } from '../objects/object-file.ts'
import { createStructure, type Element } from '../tagging/structure.ts'
import {
  drawLines,
  drawUnmarked,
  heightOf,
  inline,
  type Line,
  linesOf,
  type TextStyle,
  widthOf,
} from './lines.ts'
import { rowOf } from './rows.ts'

const typeface = await openTypeface()
const style: TextStyle = { weight: 'regular', size: 10, colour: '0 0 0' }

type Recorded = {
  readonly page: Page
  readonly texts: { readonly text: string; readonly x: number; readonly y: number }[]
  /** `P`: marked content of an element. `artifact`: no content. */
  readonly marks: string[]
}

/** A page that records what is drawn. */
const recordingPage = (): Recorded => {
  const texts: Recorded['texts'] = []
  const marks: string[] = []
  const page: Page = {
    reference: 1 as Reference,
    mark: ({ tag }, draw) => {
      marks.push(tag)
      draw()
    },
    artifact: (draw) => {
      marks.push('artifact')
      draw()
    },
    line: ({ runs, x, y }: LineOfText) => texts.push({ text: runs.map((run) => run.text).join(''), x, y }),
    rule: () => {},
    picture: () => {},
    turned: () => {},
  }
  return { page, texts, marks }
}

const newElement = (): Element => {
  const structure = createStructure(createObjectFile((bytes) => bytes))
  return structure.add('P', structure.root)
}

const numbered = (count: number, height: number, prefix: string): Line[] => {
  const element = newElement()
  return Array.from({ length: count }, (_, index) => ({
    element,
    parts: [{ text: `${prefix}${index}`, style, x: 0 }],
    height,
  }))
}

describe('a row', () => {
  test('is one piece if its text is not taller than allowed, with its padding', () => {
    const stacks = [
      { x: 0, lines: numbered(3, 10, 'a') },
      { x: 50, lines: numbered(1, 10, 'b') },
    ]
    const [piece, ...others] = rowOf(stacks, {
      typeface,
      above: 4,
      padding: { top: 1, bottom: 2 },
      maxHeight: 30,
    })
    assert.deepEqual(others, [])
    assert.deepEqual([piece?.above, piece?.height], [4, 33])
    assert.equal(rowOf(stacks, { typeface, above: 0, minHeight: 80, maxHeight: 90 })[0]?.height, 80)
  })

  test('draws its stacks from the top, beside each other, and what surrounds them', () => {
    const { page, texts } = recordingPage()
    const boxes: object[] = []
    const stacks = [
      { x: 5, lines: numbered(2, 10, 'a') },
      { x: 50, lines: numbered(1, 10, 'b') },
    ]
    const [piece] = rowOf(stacks, {
      typeface,
      above: 0,
      padding: { top: 3, bottom: 2 },
      decorate: (_, box) => boxes.push(box),
    })
    piece?.draw(page, 100, 1)
    assert.deepEqual(
      texts.map(({ text, x, y }) => [text, x, Math.round(y * 10) / 10]),
      [
        ['a0', 5, 110.4],
        ['a1', 5, 120.4],
        ['b0', 50, 110.4],
      ],
    )
    assert.deepEqual(boxes, [{ top: 100, height: 25 }])
  })

  test('that is divided has its padding above the first part and below the last', () => {
    const stacks = [{ x: 0, lines: numbered(5, 10, 'a') }]
    const pieces = rowOf(stacks, { typeface, above: 4, padding: { top: 2, bottom: 3 }, maxHeight: 20 })
    assert.deepEqual(
      pieces.map(({ above, height }) => [above, height]),
      [
        [4, 22],
        [0, 20],
        [0, 13],
      ],
    )
  })

  test('that is taller is divided between lines; every line is drawn once, in order, and inside its piece', () => {
    const stack = fc.record({
      count: fc.integer({ min: 0, max: 60 }),
      height: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(
        fc.array(stack, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 40, max: 300 }),
        (stacks, maxHeight) => {
          const given = stacks.map(({ count, height }, index) => ({
            x: 100 * index,
            lines: numbered(count, height, `${index}:`),
          }))
          const padding = { top: 2, bottom: 3 }
          const pieces = rowOf(given, { typeface, above: 7, padding, maxHeight })
          const { page, texts } = recordingPage()
          for (const [index, piece] of pieces.entries()) {
            const before = texts.length
            piece.draw(page, 0, 1)
            const isFirst = index === 0
            assert.equal(piece.above, isFirst ? 7 : 0)
            assert.ok(piece.height <= maxHeight + padding.top + padding.bottom)
            for (const { y } of texts.slice(before))
              assert.ok(y > (isFirst ? padding.top : 0) && y <= piece.height)
          }
          for (const [index, { lines }] of given.entries())
            assert.deepEqual(
              texts.filter(({ x }) => x === 100 * index).map(({ text }) => text),
              lines.map(({ parts: [part] }) => part?.text),
            )
          const inner = pieces.reduce((sum, { height }) => sum + height, 0) - padding.top - padding.bottom
          assert.ok(inner >= Math.max(...given.map(({ lines }) => heightOf(lines))) - 1e-9)
        },
      ),
    )
  })
})

describe('lines', () => {
  const element = newElement()
  const setting = { typeface, element, width: 60 }

  test('are marked once for each element, in order, and empty ones not at all', () => {
    const [one, two] = [newElement(), newElement()]
    const line = (text: string, of: Element): Line => ({
      element: of,
      parts: [{ text, style, x: 0 }],
      height: 10,
    })
    const { page, texts, marks } = recordingPage()
    const lines = [line('a', one), line('b', one), line('', two), line('c', one)]
    drawLines(page, lines, { x: 0, top: 0, typeface })
    assert.deepEqual(marks, ['P', 'P'])
    assert.deepEqual(
      texts.map(({ text, y }) => [text, Math.round(y)]),
      [
        ['a', 7],
        ['b', 17],
        ['c', 37],
      ],
    )
    drawUnmarked(page, lines, { x: 0, top: 0, typeface })
    assert.deepEqual(marks.at(-1), 'artifact')
  })

  test('of one style are as wide as allowed', () => {
    const lines = linesOf('a text that needs several lines', style, setting)
    assert.ok(lines.length > 1)
    for (const { parts, height } of lines) {
      assert.ok(parts.every(({ text }) => widthOf(text, style, typeface) <= 60))
      assert.equal(height, 12.2)
    }
  })

  test('have texts beside each other if they fit, with a space between, else below each other', () => {
    const large = { ...style, size: 20 }
    const textsOf = (texts: readonly string[], ...styles: readonly TextStyle[]) =>
      inline(
        texts.map((text, index) => ({ text, style: styles[index] ?? style })),
        setting,
      )
    const [together, ...none] = textsOf(['one', 'two'], style, large)
    assert.deepEqual(none, [])
    assert.equal(together?.height, 24.4)
    const [, second] = together?.parts ?? []
    assert.ok(second && second.x > widthOf('one', style, typeface))
    assert.ok(second.x + widthOf('two', large, typeface) <= 60)
    assert.deepEqual(
      textsOf(['one two three', 'four five', 'x\ny']).map(({ parts }) => parts.map(({ text }) => text)),
      [['one two'], ['three'], ['four five'], ['x'], ['y']],
    )
  })
})
