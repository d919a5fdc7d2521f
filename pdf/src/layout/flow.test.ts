import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Page } from '../document/page.ts'
import { paginate } from './flow.ts'
import { type Block, heightOfPiece, type Piece, type PlacedPiece } from './pieces.ts'

const height = 700
const nothing = (): void => {}

type Given = {
  readonly height: number
  readonly above?: number
  readonly withNext?: boolean
  readonly head?: number
}

const piece = ({ height: own, above = 0, withNext = false, head }: Given): Piece => ({
  height: own,
  above,
  withNext,
  draw: nothing,
  ...(head === undefined ? {} : { head: { height: head, draw: nothing } }),
})
const block = (...pieces: readonly Given[]): Block => ({ pieces: pieces.map(piece) })

const someHeights = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 420 }))
const givenPiece: fc.Arbitrary<Given> = fc.record(
  {
    height: fc.oneof(
      { weight: 9, arbitrary: someHeights },
      { weight: 1, arbitrary: fc.integer({ min: 421, max: 900 }) },
    ),
    above: fc.integer({ min: 0, max: 30 }),
    withNext: fc.boolean(),
    head: fc.integer({ min: 1, max: 300 }),
  },
  { requiredKeys: ['height'] },
)
const blocks = fc
  .array(fc.array(givenPiece, { maxLength: 12 }), { maxLength: 8 })
  .map((all) => all.map((pieces) => block(...pieces)))

const heightsOf = (pages: readonly (readonly PlacedPiece[])[]): number[][] =>
  pages.map((page) => page.map((one) => one.piece.height))

const bottomOf = (page: readonly PlacedPiece[]): number =>
  Math.max(0, ...page.map(({ piece: own, top, scale }) => top + heightOfPiece(own, scale)))

/** The pieces that must be on one page: each with the next one of its block as long as it asks for that. */
const groupsOf = ({ pieces }: Block): (readonly Piece[])[] => {
  const ends = [...pieces.entries()].flatMap(([at, { withNext }]) =>
    withNext && at < pieces.length - 1 ? [] : [at],
  )
  return ends.map((end, index) => pieces.slice((ends[index - 1] ?? -1) + 1, end + 1))
}

describe('pages', () => {
  test('have every piece once, in order, and none is empty unless there is nothing to show', () => {
    fc.assert(
      fc.property(blocks, (given) => {
        const pages = paginate(given, height)
        assert.deepEqual(
          pages.flat().map((one) => one.piece),
          given.flatMap(({ pieces }) => pieces),
        )
        assert.ok(pages.length === 1 || pages.every((page) => page.length > 0))
      }),
    )
    assert.deepEqual(paginate([], height), [[]])
  })

  test('have each piece below the one before, and nothing beyond their end but a piece that is taller', () => {
    fc.assert(
      fc.property(blocks, (given) => {
        for (const page of paginate(given, height)) {
          let end = 0
          for (const { piece: own, top, head } of page) {
            assert.ok(top >= end + (head?.height ?? 0) - 1e-9)
            end = top + own.height
            assert.ok(end <= height + 1e-9 || own.height > height, `${end}`)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('have the head of a piece above it if it is the first, and it fits', () => {
    fc.assert(
      fc.property(blocks, (given) => {
        for (const page of paginate(given, height)) {
          for (const [index, { piece: own, head, top }] of page.entries()) {
            if (index > 0) assert.equal(head, undefined)
            else if (
              own.head !== undefined &&
              own.head.height + bottomOf(page) - (head?.height ?? 0) <= height
            )
              assert.equal(head, own.head)
            if (index === 0) assert.equal(top, head?.height ?? 0)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('have pieces that belong together on one page, if a page is tall enough', () => {
    fc.assert(
      fc.property(blocks, (given) => {
        const pages = paginate(given, height)
        const pageOf = new Map(pages.flatMap((page, index) => page.map((one) => [one.piece, index] as const)))
        for (const group of given.flatMap(groupsOf)) {
          const needed = group.reduce(
            (sum, own, index) => sum + own.height + (index === 0 ? 0 : own.above),
            0,
          )
          if (needed <= height) assert.equal(new Set(group.map((own) => pageOf.get(own))).size, 1)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('end where the next piece does not fit', () => {
    const pages = paginate([block(...Array.from({ length: 30 }, () => ({ height: 100 })))], height)
    assert.deepEqual(
      pages.map((page) => page.length),
      [7, 7, 7, 7, 2],
    )
  })

  test('have the space between pieces that the pieces ask for, and none at the top', () => {
    const [page = []] = paginate(
      [block({ height: 10, above: 7 }, { height: 20, above: 5 }, { height: 1 })],
      height,
    )
    assert.deepEqual(
      page.map(({ top }) => top),
      [0, 15, 35],
    )
  })

  test('repeat the head of a table, and not on the page where the table begins', () => {
    const rows = Array.from({ length: 20 }, () => ({ height: 60, head: 40 }))
    const pages = paginate([block({ height: 40, withNext: true }, ...rows)], height)
    assert.deepEqual(
      pages.map(([first]) => first?.head?.height),
      [undefined, 40],
    )
    assert.deepEqual(
      pages.map(([first]) => first?.top),
      [0, 40],
    )
  })

  test('leave out a head with which its piece would not fit', () => {
    const pages = paginate([block({ height: 650 }, { height: 600, head: 200 })], height)
    assert.deepEqual(
      pages.map(([first]) => [first?.top, first?.head]),
      [
        [0, undefined],
        [0, undefined],
      ],
    )
  })

  test('move a short block to the next page rather than divide it at the end of a page', () => {
    const rows = Array.from({ length: 5 }, () => ({ height: 50 }))
    assert.deepEqual(heightsOf(paginate([block({ height: 600 }), block(...rows)], height)), [
      [600],
      [50, 50, 50, 50, 50],
    ])
    // With more room than that a page would be too empty.
    assert.deepEqual(heightsOf(paginate([block({ height: 590 }), block(...rows)], height)), [
      [590, 50, 50],
      [50, 50, 50],
    ])
    // A long block is divided.
    const many = Array.from({ length: 8 }, () => ({ height: 50 }))
    assert.equal(paginate([block({ height: 600 }), block(...many)], height)[0]?.length, 3)
  })

  test('are tighter between and in pieces if this saves one of few, or one that is nearly empty', () => {
    const spaced = (length: number) => Array.from({ length }, () => ({ height: 60, above: 13 }))
    const pages = paginate([block(...spaced(10))], height)
    assert.equal(pages.length, 1)
    assert.ok(bottomOf(pages[0] ?? []) <= height)
    const padded = Array.from({ length: 11 }, () => ({ ...piece({ height: 69 }), padding: 14 }))
    const [tight = [], ...others] = paginate([{ pieces: padded }], height)
    assert.equal(others.length, 0)
    assert.equal(tight[0]?.scale, 0.55)
    assert.equal(tight[1]?.top, 69 - 14 * 0.45)
    // Pages that stay as many stay as they are, and so do many.
    assert.equal(paginate([block(...spaced(14))], height)[0]?.[1]?.top, 73)
    assert.equal(paginate([block(...spaced(42))], height)[0]?.[1]?.top, 73)
  })

  test('have more than what closes the document on the last one, unless they are many', () => {
    const closing = { ...block({ height: 300 }), isClosing: true }
    const rows = Array.from({ length: 12 }, () => ({ height: 50 }))
    assert.deepEqual(heightsOf(paginate([block(...rows), closing], height)), [
      Array.from({ length: 11 }, () => 50),
      [50, 300],
    ])
    const many = Array.from({ length: 42 }, () => ({ height: 50 }))
    assert.deepEqual(heightsOf(paginate([block(...many), closing], height)).at(-1), [300])
  })

  test('divide what would rather be together where a third of one would stay empty', () => {
    const table = (count: number) =>
      Array.from({ length: count }, () => ({ ...piece({ height: 50 }), withNext: 'ifFilled' as const }))
    const placed = (above: number) =>
      heightsOf(paginate([block({ height: above }), { pieces: table(6) }], height)).map((page) => page.length)
    assert.deepEqual(placed(470), [1, 6])
    assert.deepEqual(placed(450), [4, 3])
    fc.assert(
      fc.property(blocks, (given) => {
        const loose = given.map(({ pieces }) => ({
          pieces: pieces.map((own) => ({ ...own, withNext: own.withNext ? ('ifFilled' as const) : false })),
        }))
        const pages = paginate(loose, height)
        for (const [index, page] of pages.entries()) {
          const next = pages[index + 1]?.[0]
          if (next === undefined || bottomOf(page) >= (2 / 3) * height) continue
          const isBalanced = index === pages.length - 2
          const needed = next.piece.height + next.piece.above * next.scale
          assert.ok(isBalanced || needed > height - bottomOf(page), `${bottomOf(page)} ${needed}`)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('give the last page enough of the one before, if there is no other way', () => {
    const pages = paginate(
      [block(...Array.from({ length: 8 }, () => ({ height: 100 })), { height: 20 })],
      height,
    )
    assert.deepEqual(
      heightsOf(pages).map((page) => page.length),
      [7, 2],
    )
    const [, last = []] = paginate(
      [block(...Array.from({ length: 70 }, () => ({ height: 10 })), { height: 10 })],
      height,
    )
    assert.equal(bottomOf(last), 110)
    assert.equal(last.length, 11)
  })

  test('keep what stays whole on the page of what is above it, if it moves to fill the last page', () => {
    const rows = [{ height: 50, withNext: true }, { height: 50 }]
    const declaration = [{ height: 60, withNext: true }, { height: 60, withNext: true }, { height: 60 }]
    const pages = paginate(
      [
        block({ height: 400 }),
        block(...rows),
        { ...block(...declaration), isClosing: true },
        { ...block({ height: 60 }), isClosing: true },
      ],
      height,
    )
    assert.deepEqual(heightsOf(pages), [[400], [50, 50, 60, 60, 60, 60]])
  })

  test('have enough on the last one at 15 % of their height, and move no more pieces than that needs', () => {
    const lastOf = (given: readonly number[]) =>
      heightsOf(paginate([block(...given.map((own) => ({ height: own })))], height)).at(-1)
    assert.deepEqual(lastOf([100, 600, 105]), [105])
    assert.deepEqual(lastOf([505, 100, 95, 10]), [95, 10])
    assert.deepEqual(lastOf([505, 101, 94, 10]), [101, 94, 10])
  })

  test('are not more only to fill the last one', () => {
    const given = [block({ height: 40 }, { height: 650 }, { height: 90 })]
    assert.deepEqual(heightsOf(paginate(given, height)), [[40, 650], [90]])
    fc.assert(
      fc.property(blocks, (some) => {
        const pieces = some.flatMap((own) => own.pieces)
        const total = pieces.reduce((sum, own) => sum + own.above + own.height, pieces[0]?.head?.height ?? 0)
        if (total <= height) assert.equal(paginate(some, height).length, 1)
      }),
    )
  })

  test('are drawn by the pieces, each where it was placed', () => {
    const drawn: number[] = []
    const one: Piece = { height: 5, above: 3, draw: (_, top) => drawn.push(top) }
    for (const { piece: own, top } of paginate([{ pieces: [one, one] }], height)[0] ?? [])
      own.draw({} as Page, top, 1)
    assert.deepEqual(drawn, [0, 8])
  })
})
