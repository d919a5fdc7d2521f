import { ByteWriter } from '../objects/byte-writer.ts'
import { array, dictionary, literal, name } from '../objects/source.ts'
import { type ObjectFile, type Reference, refer } from '../objects/object-file.ts'
import type { Font } from './font.ts'
import { subsetOf } from './subset.ts'

/** What a document uses of a font: glyphs, and the text each of them shows. The first is the glyph for missing characters. */
export type UsedGlyphs = {
  readonly font: Font
  readonly glyphs: readonly number[]
  /** As many as glyphs. */
  readonly texts: readonly string[]
}

/** Writes the objects of a font with the glyphs that are used, as a composite font (ISO 32000-1, 9.7). */
export const writeFont = (file: ObjectFile, used: UsedGlyphs): Reference => {
  const { font, glyphs } = used
  const bytes = subsetOf(font, glyphs)
  const baseFont = name(`${tagOf(glyphs)}+${font.name}`)
  const fontFile = file.addStream({ entries: { Length1: bytes.length }, bytes })
  const descriptor = file.add(
    dictionary({
      Type: '/FontDescriptor',
      FontName: baseFont,
      Flags: symbolic,
      FontBBox: array(font.box),
      ItalicAngle: 0,
      Ascent: Math.round(font.ascent),
      Descent: Math.round(font.descent),
      CapHeight: Math.round(font.capHeight),
      StemV: 80,
      FontFile2: refer(fontFile),
    }),
  )
  const widths = glyphs.map((glyph) => Math.round(font.advance(glyph) * 100) / 100)
  const descendant = file.add(
    dictionary({
      Type: '/Font',
      Subtype: '/CIDFontType2',
      BaseFont: baseFont,
      CIDSystemInfo: dictionary({ Registry: literal('Adobe'), Ordering: literal('Identity'), Supplement: 0 }),
      FontDescriptor: refer(descriptor),
      CIDToGIDMap: '/Identity',
      W: array([0, array(widths)]),
    }),
  )
  return file.add(
    dictionary({
      Type: '/Font',
      Subtype: '/Type0',
      BaseFont: baseFont,
      Encoding: '/Identity-H',
      DescendantFonts: array([refer(descendant)]),
      ToUnicode: refer(file.addStream({ bytes: textMap(used.texts) })),
    }),
  )
}

const symbolic = 4

/** Six letters that tell subsets of the same font apart. */
const tagOf = (glyphs: readonly number[]): string => {
  let hash = 0x81_1c_9d_c5
  for (const glyph of glyphs) hash = Math.imul(hash ^ glyph, 0x1_00_01_93) >>> 0
  return Array.from({ length: 6 }, (_, place) =>
    String.fromCodePoint(65 + (Math.floor(hash / 26 ** place) % 26)),
  ).join('')
}

const perBlock = 100

/** The character map from glyph to text (ISO 32000-1, 9.10.3), for those who copy or search. */
const textMap = (texts: readonly string[]): Uint8Array => {
  const output = new ByteWriter()
  output.source(textMapStart)
  for (let glyph = 1; glyph < texts.length; glyph += 1) {
    if (glyph % perBlock === 1) output.source(`${Math.min(perBlock, texts.length - glyph)} beginbfchar\n`)
    output.source('<')
    output.hex4(glyph)
    output.source('> <')
    output.utf16(texts[glyph] ?? '')
    output.source('>\n')
    if (glyph % perBlock === 0 || glyph === texts.length - 1) output.source('endbfchar\n')
  }
  output.source('endcmap CMapName currentdict /CMap defineresource pop end end')
  return output.written
}

const textMapStart = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
`
