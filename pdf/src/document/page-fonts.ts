import type { Font } from '../fonts/font.ts'
import { writeFont } from '../fonts/font-objects.ts'
import { type ObjectFile, refer } from '../objects/object-file.ts'
import { dictionary, hex4, type Source } from '../objects/source.ts'

/** The fonts of a document. Each counts its glyphs in the order in which they are used. */
export type PageFonts = {
  readonly use: (font: Font) => UsedFont
  /** The dictionary of all fonts, for the resources of the pages. */
  readonly write: (file: ObjectFile) => Source
}

export type UsedFont = {
  /** The name in the resources. */
  readonly resource: string
  /** The glyphs of a text in hexadecimal, one for each character. */
  readonly encode: (text: string) => string
  /** A glyph in hexadecimal that shaping chose for this text. */
  readonly encodeGlyph: (glyph: number, text: string) => string
}

type Collected = UsedFont & { readonly font: Font; readonly glyphs: number[]; readonly texts: string[] }

export const createPageFonts = (): PageFonts => {
  const used = new Map<Font, Collected>()
  return {
    use: (font) => {
      const known = used.get(font)
      if (known !== undefined) return known
      const made = collect(font, `F${used.size + 1}`)
      used.set(font, made)
      return made
    },
    write: (file) =>
      dictionary(
        Object.fromEntries([...used.values()].map((one) => [one.resource, refer(writeFont(file, one))])),
      ),
  }
}

const missingGlyph = 0

const collect = (font: Font, resource: string): Collected => {
  const glyphs = [missingGlyph]
  const texts = ['']
  const characters = new Map<string, string>()
  const add = (glyph: number, text: string): string => {
    glyphs.push(glyph)
    texts.push(text)
    return hex4(glyphs.length - 1)
  }
  const codeOf = (character: string): string => {
    const known = characters.get(character)
    if (known !== undefined) return known
    const code = add(font.glyphs[character.codePointAt(0) ?? 0] ?? missingGlyph, character)
    characters.set(character, code)
    return code
  }
  const shaped = new Map<string, string>()
  return {
    font,
    resource,
    glyphs,
    texts,
    encode: (text) => {
      let hex = ''
      for (const character of text) hex += codeOf(character)
      return hex
    },
    encodeGlyph: (glyph, text) => {
      const key = `${glyph} ${text}`
      const known = shaped.get(key)
      if (known !== undefined) return known
      const code = add(glyph, text)
      shaped.set(key, code)
      return code
    },
  }
}
