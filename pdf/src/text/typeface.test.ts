import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import bidiModule, { type Bidi } from 'bidi-js'
import fc from 'fast-check'
import { fontFile, inHarfBuzz, openTypeface, regular, strong, symbols } from '../../testing/fonts.ts'
import { readFont } from '../fonts/font.ts'
import { readWoff2 } from '../fonts/woff2.ts'
import { brotliDecompressSync } from 'node:zlib'
import { loadShaper } from './shaper.ts'
import { createTypeface, needsShaping, type Run } from './typeface.ts'

// Its types describe an ES module, and Node loads its CommonJS one.
const bidi = (bidiModule as unknown as () => Bidi)()
const shaper = await loadShaper()
const typeface = await openTypeface()
const noto = (script: string) =>
  readFont(
    readWoff2(
      fontFile(`@fontsource/noto-sans-${script}`, `files/noto-sans-${script}-${script}-400-normal.woff2`),
      brotliDecompressSync,
    ),
  )
const scripts = createTypeface({
  regular,
  strong,
  others: [...['thai', 'devanagari', 'hebrew', 'arabic'].map(noto), symbols],
  shaper,
})

const samples = [
  'บริษัท เหล็กสยาม จำกัด (มหาชน)',
  'टाटा स्टील लिमिटेड क्षत्रिय',
  'شركة الحديد والصلب (ISO 9001) 12.5 MPa',
  'תעודת בדיקה למפעל פלדה EN 10204',
  'Heat תעודה (12–15) of شركة 7',
  'e\u0301 Z\u030C ≤ 3',
]

/** What is seen from left to right: the characters of runs that are read from the right are turned round. */
const seen = (runs: readonly Run[]): string =>
  runs
    .map(({ text, glyphs }) => {
      const isFromRight = glyphs !== undefined && /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text)
      return isFromRight ? [...text].toReversed().join('') : text
    })
    .join('')

describe('the runs of a line', () => {
  test('have the text in the order in which bidi-js puts it', () => {
    const hebrew = fc.stringMatching(/^[א-ת]{1,6}$/)
    const arabic = fc.stringMatching(/^[ابتجدرسشعقكلمنهوي]{1,6}$/)
    const part = fc.oneof(
      hebrew,
      arabic,
      fc.stringMatching(/^[A-Za-z]{1,6}$/),
      fc.stringMatching(/^\d{1,4}$/),
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const text = parts.join(' ')
        fc.pre(needsShaping(text))
        const runs = typeface.runsOf(text, 'regular')
        // Runs of spaces and signs alone have no letter that shows their direction, and are the same in both.
        const expected = bidi.getReorderedString(text, bidi.getEmbeddingLevels(text))
        assert.equal(seen(runs), expected)
      }),
      { numRuns: 300 },
    )
  })

  test('are as wide as their glyphs in HarfBuzz', () => {
    for (const text of samples)
      for (const run of scripts.runsOf(text, 'regular')) {
        const font = inHarfBuzz(run.font.file)
        const glyphs =
          run.glyphs?.map(({ glyph }) => glyph) ??
          [...run.text].map((character) => font.nominalGlyph(character.codePointAt(0) ?? 0) ?? 0)
        const width = glyphs.reduce((sum, glyph) => sum + font.glyphHAdvance(glyph), 0)
        assert.ok(!glyphs.includes(0), run.text)
        // Kerning moves glyphs by a few units.
        assert.ok(Math.abs(run.width - (width * 1_000) / run.font.unitsPerEm) < 30 * glyphs.length, run.text)
      }
  })

  test('have glyphs whose texts are the text of the run', () => {
    for (const text of samples)
      for (const { text: ofRun, glyphs } of scripts.runsOf(text, 'regular')) {
        if (glyphs === undefined) continue
        const texts = glyphs.map((glyph) => glyph.text)
        assert.ok([texts.join(''), texts.toReversed().join('')].includes(ofRun), ofRun)
      }
  })

  test('are in the first font that has the letter with its marks', () => {
    const fonts = (text: string) =>
      typeface.runsOf(text, 'strong').map(({ font, text: own }) => [font.name, own])
    assert.deepEqual(fonts('Steel'), [[strong.name, 'Steel']])
    assert.deepEqual(fonts('a ⚙ b'), [
      [strong.name, 'a '],
      [symbols.name, '⚙ '],
      [strong.name, 'b'],
    ])
    assert.equal(fonts('x\u030D')[0]?.[0], symbols.name)
  })

  test('draw each character in a font that has it, with the width of that font', () => {
    for (let codePoint = 0x20; codePoint < 0x2_10; codePoint += 1) {
      const character = String.fromCodePoint(codePoint)
      if (!typeface.covers(codePoint)) continue
      for (const weight of ['regular', 'strong'] as const) {
        const runs = typeface.runsOf(`A${character}`, weight)
        const last = runs.at(-1)
        assert.ok(last && (last.font.glyphs[codePoint] ?? 0) !== 0, character)
        const width = runs.reduce((sum, run) => sum + run.width, 0)
        assert.ok(Math.abs(width - typeface.widthOf(`A${character}`, weight)) < 1e-6, character)
      }
    }
  })

  test('are not shaped where each character is one glyph', () => {
    for (const text of ['Steel ≤ 3 ⚙', 'Ελληνική', '宝山', 'Žluťoučký'])
      assert.equal(needsShaping(text), false)
    for (const text of samples) assert.equal(needsShaping(text), true)
  })
})
