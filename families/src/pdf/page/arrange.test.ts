import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Table } from '../../model/document.ts'
import { openFonts } from '../fonts.ts'
import { arrangeFields } from './arrange-fields.ts'
import { arrangeTable } from './arrange-table.ts'
import { decimalShifts } from './decimals.ts'
import { columns as fieldColumns, pageWidth } from './grid.ts'
import { createMeasure } from './measure.ts'
import { nameFiles } from './name-files.ts'
import { createPrintable } from './printable.ts'

const fonts = openFonts()
const measure = createMeasure(fonts)
const page = { measure, width: pageWidth }

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

describe('a table', () => {
  test('of any width is split into parts that fit the page and begin with the first column', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const { parts } = arrangeTable(table, page)
        const rest = parts.flatMap((part) => part.columns.slice(1))
        assert.deepEqual(rest, table.columns.map((_, index) => index).slice(1))
        for (const { columns, widths } of parts) {
          assert.equal(columns[0], 0)
          assert.equal(columns.length, widths.length)
          assert.ok(widths.every((width) => width > 0))
          assert.ok(widths.reduce((sum, width) => sum + width, 0) <= pageWidth + 0.01)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('is not split into more parts than needed', () => {
    const elements = (count: number): Table => ({
      columns: [
        { label: ['Heat'], align: 'start' },
        ...Array.from({ length: count }, (_, at) => ({ label: [`E${at}`], align: 'end' as const })),
      ],
      rows: [{ cells: ['H-1', ...Array.from({ length: count }, () => '0.123')] }],
    })
    assert.deepEqual(
      [5, 16, 24, 36, 48].map((count) => arrangeTable(elements(count), page).parts.length),
      [1, 1, 2, 2, 3],
    )
    const even = arrangeTable(elements(24), page).parts.map(({ columns }) => columns.length)
    assert.deepEqual(even, [13, 13])
  })
})

test('decimalShifts lines up the decimal signs of a column', () => {
  const shifts = (...cells: string[]) =>
    decimalShifts(
      { columns: [{ label: ['n'], align: 'end' }], rows: cells.map((text) => ({ cells: [text] })) },
      measure,
    ).flat()
  const digit = measure.text('0', 1)
  const sign = Math.round(measure.text('.', 1) * 1_000) / 1_000
  assert.deepEqual(shifts('1.25', '10.5', '-3'), [0, digit, 2 * digit + sign])
  assert.deepEqual(shifts('1,25', '< 0,5', 'n/a'), [0, digit, 0])
  assert.deepEqual(shifts('12', '7'), [0, 0])
  assert.deepEqual(shifts('1,25', '1.5'), [0, 0], 'two signs may mean two things')
})

test('arrangeFields fills rows of three without gaps and gives long values more columns', () => {
  const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ minLength: 60, maxLength: 400 }))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (values) => {
      const fields = arrangeFields(
        values.map((value) => ({ label: ['l'], value })),
        page,
      )
      let used = 0
      for (const { span } of fields) {
        assert.ok(span >= 1 && used + span <= fieldColumns)
        used = (used + span) % fieldColumns
      }
    }),
  )
  const [short, long] = arrangeFields(
    [
      { label: [''], value: 'a' },
      { label: [''], value: 'word '.repeat(90) },
    ],
    page,
  )
  assert.deepEqual([short?.span, long?.span], [3, 3])
})

test('nameFiles makes names unique and reserves the name of the certificate', () => {
  const named = (...names: string[]) =>
    nameFiles(
      names.map((name) => ({ name, type: 'x', base64: 'YQ==' })),
      new Map(),
    ).map(({ name }) => name)
  assert.deepEqual(named('../../etc/passwd', 'a b.pdf', '', 'CERTIFICATE.json', 'a b.pdf', '.ssh'), [
    'etc-passwd',
    'a-b.pdf',
    'attachment-3',
    '2-CERTIFICATE.json',
    '2-a-b.pdf',
    'ssh',
  ])
})

describe('a printable text', () => {
  const printable = createPrintable(fonts, 'lenient')

  test('keeps covered characters, drops invisible ones and shows code points of the others', () => {
    assert.equal(printable('Łódź 钢 ≤ ⌀ Ω\u0000\u0007\u200B\uFE0F'), 'Łódź 钢 ≤ ⌀ Ω')
    assert.equal(printable('a\r\nb\u2028c\td'), 'a\nb\nc d')
    assert.equal(printable('\uD800🚀\uE000\u202E'), '[U+D800][U+1F680][U+E000][U+202E]')
  })

  test('contains only characters that the fonts cover', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        for (const character of printable(text)) {
          assert.ok(character === '\n' || fonts.covers(character.codePointAt(0) ?? 0))
        }
      }),
      { numRuns: 500 },
    )
  })
})
