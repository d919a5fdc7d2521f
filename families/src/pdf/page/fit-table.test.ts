import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Typeface } from '@millseal/pdf'
import fc from 'fast-check'
import type { Table } from '../../model/document.ts'
import { openFonts } from '../fonts.ts'
import { sampleDocument } from '../testing/document.ts'
import { decimalShifts } from './decimals.ts'
import { fitTable } from './fit-table.ts'
import { area, style } from './look.ts'
import { unusualTexts } from './unusual-texts.ts'

let typeface: Typeface
before(async () => {
  typeface = await openFonts().typefaceFor(unusualTexts(sampleDocument()))
})

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ minLength: 30, maxLength: 200 }),
  fc.float({ noNaN: true }).map(String),
)
const anyTable: fc.Arbitrary<Table> = fc.integer({ min: 1, max: 80 }).chain((width) =>
  fc.record({
    columns: fc.array(
      fc.record({
        label: fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 2 }),
        align: fc.constantFrom('start' as const, 'end' as const),
      }),
      { minLength: width, maxLength: width },
    ),
    rows: fc.array(fc.record({ cells: fc.array(cell, { minLength: width, maxLength: width }) }), {
      maxLength: 4,
    }),
  }),
)

const elements = (count: number, value = '0.123'): Table => ({
  columns: [
    { label: ['Heat'], align: 'start' },
    ...Array.from({ length: count }, (_, at) => ({ label: [`E${at}`], align: 'end' as const })),
  ],
  rows: [{ cells: ['H-1', ...Array.from({ length: count }, () => value)] }],
})

describe('a table', () => {
  test('of any width is divided into parts that fit the page and begin with the first column', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const { parts, size } = fitTable(table, typeface, area.width)
        const rest = parts.flatMap((part) => part.columns.slice(1))
        assert.deepEqual(rest, table.columns.map((_, index) => index).slice(1))
        assert.ok(size >= 7)
        for (const { columns, widths } of parts) {
          assert.equal(columns[0], 0)
          assert.equal(columns.length, widths.length)
          assert.ok(widths.every((width) => width > 0))
          assert.ok(widths.reduce((sum, width) => sum + width, 0) <= area.width + 0.01)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('has no more parts than needed, and parts of about the same number of columns', () => {
    const partsOf = (count: number) =>
      fitTable(elements(count), typeface, area.width).parts.map(({ columns }) => columns.length - 1)
    for (const [count, parts] of [
      [5, 1],
      [17, 1],
      [24, 2],
      [40, 3],
    ] as const) {
      const found = partsOf(count)
      assert.ok(found.length <= parts, `${count} elements: ${found.join(' + ')}`)
      assert.ok(Math.max(...found) - Math.min(...found) <= found.length, found.join(' + '))
    }
  })

  test('has smaller type, down to 7 points, before it is divided', () => {
    const sizes = Array.from({ length: 30 }, (_, at) => fitTable(elements(at + 1), typeface, area.width)).map(
      ({ size, parts }) => ({ size, parts: parts.length }),
    )
    const inOnePart = sizes.filter(({ parts }) => parts === 1).map(({ size }) => size)
    assert.equal(inOnePart[0], 7.6)
    assert.equal(inOnePart.at(-1), 7)
  })
})

test('decimal signs of a column are in line, also beside an operator', () => {
  const shifts = (...cells: string[]) =>
    decimalShifts(
      { columns: [{ label: ['n'], align: 'end' }], rows: cells.map((text) => ({ cells: [text] })) },
      { typeface, style: style(1) },
    ).flat()
  const digit = typeface.widthOf('0', 'regular') / 1_000
  const sign = typeface.widthOf('.', 'regular') / 1_000
  assert.deepEqual(shifts('1.25', '10.5', '-3'), [0, digit, 2 * digit + sign])
  assert.deepEqual(shifts('1,25', '< 0,5', 'n/a'), [0, digit, 0])
  assert.deepEqual(shifts('12', '7'), [])
  assert.deepEqual(shifts('1,25', '1.5'), [], 'two signs may mean two things')
})
