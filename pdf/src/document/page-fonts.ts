import type { Font } from '../fonts/font.ts'
import { writeFont } from '../fonts/font-objects.ts'
import { type ObjectFile, refer } from '../objects/object-file.ts'
import { dictionary, type Source, twoBytes } from '../objects/source.ts'

/** The fonts of a document. Each counts its glyphs in the order in which they are used. */
export type PageFonts = {
  readonly use: (font: Font) => UsedFont
  /** The dictionary of all fonts, for the resources of the pages. */
  readonly write: (file: ObjectFile) => Source
}

export type UsedFont = {
  /** The name in the resources. */
  readonly resource: string
  /** A text as a string of glyphs, one for each character. */
  readonly encode: (text: string) => Source
  /** A string with one glyph that shaping chose for this text. */
  readonly encodeGlyph: (glyph: number, text: string) => Source
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
const latinEnd = 0x1_80

const collect = (font: Font, resource: string): Collected => {
  const glyphs = [missingGlyph]
  const texts = ['']
  const characters = new Map<string, Source>()
  /** The codes of the characters that nearly all texts consist of. */
  const latin: (Source | undefined)[] = []
  const add = (glyph: number, text: string): Source => {
    glyphs.push(glyph)
    texts.push(text)
    return twoBytes(glyphs.length - 1)
  }
  const codeOf = (character: string): Source => {
    const known = characters.get(character)
    if (known !== undefined) return known
    const code = add(font.glyphs[character.codePointAt(0) ?? 0] ?? missingGlyph, character)
    characters.set(character, code)
    return code
  }
  const shaped = new Map<string, Source>()
  return {
    font,
    resource,
    glyphs,
    texts,
    encode: (text) => {
      let source = '('
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at)
        if (unit < latinEnd) source += latin[unit] ??= codeOf(text.charAt(at))
        else {
          const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
          source += codeOf(character)
          at += character.length - 1
        }
      }
      return `${source})`
    },
    encodeGlyph: (glyph, text) => {
      const key = `${glyph} ${text}`
      const known = shaped.get(key) ?? add(glyph, text)
      shaped.set(key, known)
      return `(${known})`
    },
  }
}
