import type { Bidi } from 'bidi-js'
import type { Font } from '../fonts/font.ts'

/** A glyph at its place from the start of its run, in thousandths of the font size. */
export type PlacedGlyph = {
  readonly glyph: number
  readonly x: number
  readonly y: number
  /** The characters it stands for; empty for the other glyphs of a letter that has several. */
  readonly text: string
}

export type Shaped = {
  readonly glyphs: readonly PlacedGlyph[]
  readonly width: number
  /** Whether the texts of the glyphs give the text of all; otherwise it must be given beside them. */
  readonly isReadByGlyph: boolean
}

/** Shapes and orders text of scripts where a character is not simply a glyph beside the last one. */
export type Shaper = {
  readonly shape: (font: Font, text: string, direction: 'ltr' | 'rtl') => Shaped
  /** The level of each code unit by the Unicode Bidirectional Algorithm; odd ones are written right to left. */
  readonly levelsOf: (text: string) => Uint8Array
}

/** Loads HarfBuzz, which is half a megabyte of WebAssembly, and the bidirectional algorithm. */
export const loadShaper = async (): Promise<Shaper> => {
  const [harfBuzz, bidiModule] = await Promise.all([import('harfbuzzjs'), import('bidi-js')])
  // Its types describe an ES module, and Node loads its CommonJS one.
  const createBidi = bidiModule.default as unknown as () => Bidi
  const bidi = createBidi()
  const opened = new WeakMap<Font, InstanceType<typeof harfBuzz.Font>>()
  const open = (font: Font) => {
    const known = opened.get(font)
    if (known !== undefined) return known
    const made = new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(font.file)))
    opened.set(font, made)
    return made
  }
  return {
    shape: (font, text, direction) => {
      const buffer = new harfBuzz.Buffer()
      buffer.addText(text)
      buffer.setClusterLevel(harfBuzz.ClusterLevel.MONOTONE_CHARACTERS)
      buffer.setDirection(direction === 'rtl' ? harfBuzz.Direction.RTL : harfBuzz.Direction.LTR)
      buffer.guessSegmentProperties()
      harfBuzz.shape(open(font), buffer)
      const scale = 1_000 / font.unitsPerEm
      // Both at once, from HarfBuzz, takes three times as long.
      const positions = buffer.getGlyphPositions()
      const placed = buffer.getGlyphInfos().map((info, index) => ({ ...info, ...positions[index] }))
      const texts = textsOf(text, placed)
      const glyphs: PlacedGlyph[] = []
      let width = 0
      for (const [index, { codepoint: glyph, xAdvance = 0, xOffset = 0, yOffset = 0 }] of placed.entries()) {
        glyphs.push({ glyph, x: width + xOffset * scale, y: yOffset * scale, text: texts[index] ?? '' })
        width += xAdvance * scale
      }
      // Readers put letters from right to left in order themselves, which a text beside them would disturb.
      const isReadByGlyph = direction === 'rtl' || texts.every((one) => one !== '')
      return { glyphs, width, isReadByGlyph }
    },
    levelsOf: (text) => bidi.getEmbeddingLevels(text).levels,
  }
}

/** The text of each glyph. The widest glyph of a letter has the text, so that it is where readers expect it. */
const textsOf = (
  text: string,
  glyphs: readonly { readonly cluster: number; readonly xAdvance?: number }[],
): string[] => {
  const widest = new Map<number, number>()
  for (const [index, { cluster, xAdvance = 0 }] of glyphs.entries()) {
    const known = glyphs[widest.get(cluster) ?? -1]
    if (known === undefined || xAdvance > (known.xAdvance ?? 0)) widest.set(cluster, index)
  }
  const starts = [...widest.keys()].toSorted((a, b) => a - b)
  const texts = glyphs.map(() => '')
  for (const [index, start] of starts.entries())
    texts[widest.get(start) ?? 0] = text.slice(start, starts[index + 1])
  return texts
}
