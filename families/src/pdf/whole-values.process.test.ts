import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtomic } from '@millseal/pdf'
import fc from 'fast-check'
import labels from '../labels/document-labels.json' with { type: 'json' }
import type { Block, DocumentModel, Field, Row, Section, Table, Text } from '../model/document.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import { searchIn, textsOf } from './testing/read-back.ts'
import { sampleRequest } from './testing/document.ts'
import { findTool } from '@millseal/pdf/testing'

const languages = Object.keys(labels)
const names = Object.keys(labels.EN)

const number = fc
  .record({
    operator: fc.constantFrom('', '', '', '≥ ', '≤', '<', '> ', '±', '~'),
    sign: fc.constantFrom('', '', '-', '−'),
    whole: fc.nat({ max: 99_999 }),
    sign2: fc.constantFrom('.', ','),
    decimals: fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 6 }),
  })
  .map(({ operator, sign, whole, sign2, decimals }) => {
    return `${operator}${sign}${whole}${decimals === '' ? '' : sign2 + decimals}`
  })
const unit = fc.constantFrom('%', 'MPa', 'N/mm²', 'mm', 'Bq/kg', 'J', '°C', 'kg/m³', 'ppm', 'HV10', 'g/cm³')
const withUnit = fc.tuple(number, unit).map(([value, own]) => `${value} ${own}`)
const range = fc
  .tuple(number, number)
  .map(([from, to]) => `${from.replace(/^\D+/u, '')} – ${to.replace(/^\D+/u, '')}`)
const letters = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCÄÖÜß0123456789-/.'),
  minLength: 1,
  maxLength: 40,
})
const words = fc
  .array(letters, { minLength: 1, maxLength: 5 })
  .map((all) => all.join(' ').slice(0, 40).trim())
const value = fc.oneof(
  { arbitrary: number, weight: 5 },
  { arbitrary: withUnit, weight: 2 },
  { arbitrary: range, weight: 1 },
  { arbitrary: letters, weight: 1 },
  { arbitrary: words, weight: 1 },
)

const label = fc
  .tuple(
    fc.constantFrom(...names),
    fc.uniqueArray(fc.constantFrom(...languages), { minLength: 1, maxLength: 2 }),
  )
  .map(
    ([name, chosen]): Text =>
      chosen.map((language) => (labels as Record<string, Record<string, string>>)[language]?.[name] ?? name),
  )

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const field: fc.Arbitrary<Field> = fc
  .record({ label, value, unit: optional(unit), code: optional(fc.constantFrom('A01', 'B12', 'C71')) })
  .map(({ label: text, value: shown, unit: own, code }) => ({
    label: text,
    value: shown,
    ...(own !== undefined && /^\S*\d$/u.test(shown) ? { unit: own } : {}),
    ...(code === undefined ? {} : { code }),
  }))

/** From 5 to 40 elements, and mostly few heats: 200 of 40 are 8,000 cells. */
const table: fc.Arbitrary<Table> = fc
  .record({
    elements: fc.integer({ min: 5, max: 40 }),
    heats: fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 12 }), weight: 30 },
      { arbitrary: fc.integer({ min: 13, max: 200 }), weight: 1 },
    ),
    cell: fc.constantFrom('numbers', 'values'),
    head: label,
  })
  .chain(({ elements, heats, cell, head }) =>
    fc
      .record({
        columns: fc.array(
          fc.record({
            label: fc.constantFrom('C', 'Si', 'Mn', 'Cr+Ni', 'CEV', 'Re/Rm'),
            unit: optional(unit),
          }),
          {
            minLength: elements,
            maxLength: elements,
          },
        ),
        rows: fc.array(
          fc.record({
            cells: fc.array(fc.oneof(cell === 'numbers' ? number : value, fc.constant('')), {
              minLength: elements,
              maxLength: elements,
            }),
            name: fc.oneof(letters, fc.nat().map(String)),
            emphasis: fc.constantFrom('requirement', 'result', undefined, undefined, undefined),
          }),
          { minLength: heats, maxLength: heats },
        ),
      })
      .map(
        ({ columns, rows }): Table => ({
          columns: [
            { label: head, align: 'start' },
            ...columns.map(({ label: text, unit: own }) => ({
              label: [text],
              align: 'end' as const,
              ...(own === undefined ? {} : { unit: own }),
            })),
          ],
          rows: rows.map(
            ({ cells, name, emphasis }): Row => ({
              cells: [name, ...cells],
              ...(emphasis === undefined ? {} : { emphasis }),
            }),
          ),
        }),
      ),
  )

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.array(field, { minLength: 1, maxLength: 20 }).map((fields): Block => ({ kind: 'fields', fields })),
  table.map((own): Block => ({ kind: 'table', table: own })),
  fc.tuple(words, words).map((text): Block => ({ kind: 'paragraph', text })),
)

const section: fc.Arbitrary<Section> = fc.record({
  title: label,
  blocks: fc.array(block, { minLength: 1, maxLength: 2 }),
})

const document: fc.Arbitrary<DocumentModel> = fc
  .record({
    sections: fc.array(section, { minLength: 1, maxLength: 3 }),
    chosen: fc.uniqueArray(fc.constantFrom(...languages), { minLength: 1, maxLength: 2 }),
    name: words,
    number: letters,
  })
  .map(({ sections, chosen, name, number: own }) => ({
    modelVersion: 1,
    family: 'generic',
    languages: chosen.map((language) => language.toLowerCase()),
    title: ['Inspection certificate'],
    number: own.slice(0, 24),
    parties: [{ role: ['Seller'], name, lines: [{ value: name }] }],
    sections,
    files: [],
    warnings: [],
  }))

/** All values that a document shows, with their units. */
const valuesOf = ({ sections, parties }: DocumentModel): string[] => [
  ...parties.map(({ name }) => name),
  ...sections.flatMap(({ blocks }) =>
    blocks.flatMap((one) => {
      if (one.kind === 'fields')
        return one.fields.map(({ value: shown, unit: own }) =>
          own === undefined ? shown : `${shown} ${own}`,
        )
      if (one.kind === 'table') return one.table.rows.flatMap(({ cells }) => shownCells(cells))
      return one.kind === 'paragraph' ? [...new Set(one.text)] : []
    }),
  ),
]

const shownCells = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '')

/** Numbers, operators and units stay together, also inside longer texts. */
const atomicParts = (text: string): string[] =>
  isAtomic(text) ? [text] : text.split(' ').filter((word) => isAtomic(word) && /\d/u.test(word))

test('a number that is broken or has an invisible character is noticed', () => {
  assert.ok(searchIn('a 0.150 b').isWhole('0.150'))
  for (const broken of ['0.15\n0', '0.15 0', '0.15\u200B0', '10.150'])
    assert.ok(!searchIn(broken).isWhole('0.150'))
  assert.ok(!searchIn('12 N/mm\n²').isWhole('12 N/mm²'))
})

const documents = 520

test('no value of a document is lost, and no number is broken', async (t) => {
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const seed = Math.floor(Math.random() * 2 ** 31)
  const fonts = openFonts()
  const all = fc.sample(document, { numRuns: documents, seed })
  const pdfs: Uint8Array[] = []
  for (const one of all) {
    pdfs.push(await drawDocument(sampleRequest(one), { fonts, accent: undefined }))
  }
  const texts = await textsOf(pdfs)
  for (const [index, one] of all.entries()) {
    const text = texts[index] ?? ''
    const found = searchIn(text)
    const at = `document ${index} of seed ${seed}`
    assert.doesNotMatch(text, /(?![\n\f])[\p{Cc}\p{Cf}]/u, at)
    for (const shown of valuesOf(one)) {
      if (!found.isThere(shown)) assert.fail(`${at}: "${shown}" is lost`)
      for (const part of atomicParts(shown)) {
        if (!found.isWhole(part)) assert.fail(`${at}: "${part}" of "${shown}" is broken`)
      }
    }
  }
})
