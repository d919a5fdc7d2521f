import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { brotliDecompressSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { fontFile, inHarfBuzz, regular, symbols } from '../../testing/fonts.ts'
import { openFixWeight } from './fix-weight.ts'
import { type Font, readFont } from './font.ts'
import { tableOf, viewOf, writeTables } from './sfnt.ts'
import { subsetOf } from './subset.ts'
import { readWoff2 } from './woff2.ts'

const unbrotli = (bytes: Uint8Array): Uint8Array => brotliDecompressSync(bytes)
const thai = (kind: 'woff' | 'woff2') =>
  fontFile('@fontsource/noto-sans-thai', `files/noto-sans-thai-thai-400-normal.${kind}`)
const chinese = readWoff2(
  fontFile('@fontsource-variable/noto-sans-sc', 'files/noto-sans-sc-100-wght-normal.woff2'),
  unbrotli,
)
const fixWeight = await openFixWeight(
  readFileSync(createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')),
)

const glyphCount = ({ tables }: Font): number => tableOf(tables, 'maxp').getUint16(4)
const glyphsOf = (font: Font): number[] => Array.from({ length: glyphCount(font) }, (_, glyph) => glyph)

/** The font in a WOFF file, whose tables are those of the font, each compressed. */
const readWoff = (file: Buffer): Uint8Array => {
  const tables = new Map<string, Uint8Array>()
  for (let index = 0; index < file.readUInt16BE(12); index += 1) {
    const record = 44 + 20 * index
    const [start, stored, length] = [4, 8, 12].map((at) => file.readUInt32BE(record + at)) as [
      number,
      number,
      number,
    ]
    const bytes = file.subarray(start, start + stored)
    tables.set(file.toString('latin1', record, record + 4), stored < length ? inflateSync(bytes) : bytes)
  }
  return writeTables(tables)
}

describe('a font', () => {
  test('has the characters, widths and size that HarfBuzz reads', () => {
    for (const font of [regular, symbols]) {
      const judge = inHarfBuzz(font.file)
      for (let codePoint = 0; codePoint < 0x3_0000; codePoint += codePoint < 0x26_00 ? 1 : 37)
        assert.equal(
          font.glyphs[codePoint] ?? 0,
          judge.nominalGlyph(codePoint) ?? 0,
          `U+${codePoint.toString(16)}`,
        )
      for (const glyph of glyphsOf(font))
        assert.equal(Math.round((font.advance(glyph) * font.unitsPerEm) / 1_000), judge.glyphHAdvance(glyph))
      const { ascender, descender } = judge.hExtents()
      const scale = 1_000 / font.unitsPerEm
      assert.deepEqual(
        [font.ascent, font.descent].map(Math.round),
        [ascender * scale, descender * scale].map(Math.round),
      )
    }
    assert.deepEqual([regular.name, symbols.name], ['IBMPlexSans-Regular', 'DejaVuSans'])
    assert.ok(regular.capHeight > 600 && regular.capHeight < regular.ascent)
  })

  test('is read from a character map of format 4 as from one of format 12', () => {
    const cmap = tableOf(symbols.tables, 'cmap')
    const old = Array.from({ length: cmap.getUint16(2) }, (_, index) => 4 + 8 * index).find(
      (record) => cmap.getUint16(cmap.getUint32(record + 4)) === 4,
    )
    assert.ok(old !== undefined)
    const only = new Uint8Array(cmap.buffer, cmap.byteOffset, cmap.byteLength).slice()
    viewOf(only).setUint16(2, 1)
    only.copyWithin(4, old, old + 8)
    const tables = new Map(
      [...symbols.tables].map(([tag, view]) => [
        tag,
        new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
      ]),
    )
    const { glyphs } = readFont(writeTables(tables.set('cmap', only)))
    assert.ok(glyphs.length > 0xff_00)
    for (const [codePoint, glyph] of glyphs.entries()) assert.equal(glyph, symbols.glyphs[codePoint])
  })
})

describe('a part of a font', () => {
  const assertSame = (font: Font, glyphs: readonly number[]): void => {
    const [whole, part] = [inHarfBuzz(font.file), inHarfBuzz(subsetOf(font, glyphs))]
    for (const [place, glyph] of glyphs.entries()) {
      assert.equal(part.glyphToPath(place), whole.glyphToPath(glyph), `glyph ${glyph}`)
      assert.equal(part.glyphHAdvance(place), whole.glyphHAdvance(glyph), `glyph ${glyph}`)
    }
  }

  test('has the outline and width of every glyph of the whole font, composite ones included', () => {
    for (const font of [regular, symbols, readFont(readWoff2(thai('woff2'), unbrotli))]) {
      assertSame(font, glyphsOf(font))
    }
    assertSame(regular, glyphsOf(regular).toReversed())
  })

  test('has some glyphs in any order, some of them twice', () => {
    for (const font of [regular, symbols]) {
      const glyph = fc.integer({ min: 0, max: glyphCount(font) - 1 })
      fc.assert(
        fc.property(fc.array(glyph, { minLength: 1, maxLength: 30 }), (glyphs) => assertSame(font, glyphs)),
        { numRuns: 60 },
      )
      const composite = font.glyphs['Å'.codePointAt(0) ?? 0] ?? 0
      assertSame(font, [0, composite, composite, font.glyphs[0x41] ?? 0, composite])
    }
  })

  test('is small, and has no characters, names or hints', () => {
    const bytes = subsetOf(regular, [0, 36, 37])
    assert.ok(bytes.length < 2_000, `${bytes.length}`)
    assert.throws(() => readFont(bytes), /no table cmap/)
  })
})

describe('a font from WOFF2', () => {
  test('has the outlines, bounds, widths and characters of the same font in WOFF', () => {
    const font = readFont(readWoff2(thai('woff2'), unbrotli))
    const [judge, read] = [inHarfBuzz(readWoff(thai('woff'))), inHarfBuzz(font.file)]
    assert.ok(glyphCount(font) > 50)
    for (const glyph of glyphsOf(font)) {
      assert.deepEqual(read.glyphExtents(glyph), judge.glyphExtents(glyph), `glyph ${glyph}`)
      assert.equal(read.glyphHAdvance(glyph), judge.glyphHAdvance(glyph))
    }
    // The WOFF file has contours that overlap in one, so that only the outlines of other glyphs are the same.
    const same = glyphsOf(font).filter((glyph) => read.glyphToPath(glyph) === judge.glyphToPath(glyph))
    assert.ok(same.length > 80, `${same.length}`)
    for (let codePoint = 0; codePoint < 0x10_00; codePoint += 1)
      assert.equal(font.glyphs[codePoint] ?? 0, judge.nominalGlyph(codePoint) ?? 0)
  })

  for (const weight of [100, 400, 900])
    test(`with all weights has the outlines and widths of weight ${weight} in HarfBuzz`, () => {
      const fixed = fixWeight(chinese, weight)
      const [judge, read] = [inHarfBuzz(chinese, weight), inHarfBuzz(fixed)]
      const glyphs = glyphsOf(readFont(fixed))
      assert.ok(glyphs.length > 50)
      for (const glyph of glyphs) {
        const [expected, actual] = [judge, read].map((font) =>
          font.glyphToJson(glyph).flatMap(({ values }) => values),
        )
        assert.equal(actual?.length, expected?.length)
        // Coordinates of a fixed weight are whole numbers.
        for (const [at, value] of (expected ?? []).entries())
          assert.ok(Math.abs((actual?.[at] ?? NaN) - value) <= 1)
        assert.ok(Math.abs(read.glyphHAdvance(glyph) - judge.glyphHAdvance(glyph)) <= 1)
      }
      const other = inHarfBuzz(fixWeight(chinese, 500))
      assert.ok(glyphs.some((glyph) => other.glyphToPath(glyph) !== read.glyphToPath(glyph)))
    })
})

describe('a damaged font', () => {
  const isSound = (font: Font): boolean =>
    [font.unitsPerEm, font.ascent, font.descent, font.capHeight, ...font.box].every(Number.isFinite)

  test('that is cut off is refused', () => {
    for (const length of [0, 3, 11, 40, 200, 5_000, regular.file.length - 60_000])
      assert.throws(() => readFont(regular.file.subarray(0, length)), `${length}`)
    const file = thai('woff2')
    for (const length of [0, 3, 20, 47, 60, 100, 4_000])
      assert.throws(() => readWoff2(file.subarray(0, length), unbrotli))
  })

  test('that is another kind of file is refused', () => {
    assert.throws(() => readWoff2(regular.file, unbrotli), /not a WOFF2 font/)
    assert.throws(() => readFont(thai('woff2')))
    assert.throws(() => readFont(new TextEncoder().encode('%PDF-1.7\n'.repeat(40))))
    assert.throws(() => fixWeight(new TextEncoder().encode('no font'), 400), /weight/)
  })

  test('without a table that is needed is refused with its name', () => {
    for (const tag of ['head', 'hhea', 'hmtx', 'cmap'])
      assert.throws(
        () => {
          const left = [...regular.tables].filter(([one]) => one !== tag)
          readFont(
            writeTables(
              new Map(
                left.map(([one, view]) => [
                  one,
                  new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
                ]),
              ),
            ),
          )
        },
        new RegExp(`no table ${tag}`),
      )
  })

  test('with any byte changed is refused, or has numbers for its sizes and glyphs', () => {
    const sound = readWoff2(thai('woff2'), unbrotli)
    const head = readFont(sound).tables.get('head')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const places = [at % 400, (head?.byteOffset ?? 0) + (at % 54)]
        for (const place of places) {
          const file = sound.slice()
          file[place] = byte
          try {
            const font = readFont(file)
            assert.ok(isSound(font), `byte ${place}`)
            subsetOf(font, [0, 1, 2])
          } catch (error) {
            assert.ok(error instanceof RangeError || error instanceof TypeError, String(error))
          }
        }
      }),
      { numRuns: 300 },
    )
    const broken = regular.file.slice()
    viewOf(broken).setUint16((regular.tables.get('head')?.byteOffset ?? 0) - regular.file.byteOffset + 18, 0)
    assert.throws(() => readFont(broken), /units/)
  })
})
