import type { Font } from '../fonts/font.ts'
import { writeFont } from '../fonts/font-objects.ts'
import type { ByteWriter } from '../objects/byte-writer.ts'
import { type ObjectFile, refer } from '../objects/object-file.ts'
import { dictionary, type Source } from '../objects/source.ts'

/** The fonts of a document. Each counts its glyphs in the order in which they are used. */
export type PageFonts = {
  readonly use: (font: Font) => UsedFont
  /** The dictionary of all fonts, for the resources of the pages. */
  readonly write: (file: ObjectFile) => Source
}

export type UsedFont = {
  /** The name in the resources. */
  readonly resource: string
  /** Writes the glyphs of a text, one for each character, inside the parentheses of a string. */
  readonly write: (output: ByteWriter, text: string) => void
  /** Writes a glyph that shaping chose for this text. */
  readonly writeGlyph: (output: ByteWriter, shaped: { readonly glyph: number; readonly text: string }) => void
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
  const characters = new Map<string, number>()
  /** The codes of the characters that nearly all texts consist of; 0 if not used yet. */
  const latin = new Uint16Array(latinEnd)
  const add = (glyph: number, text: string): number => {
    texts.push(text)
    return glyphs.push(glyph) - 1
  }
  const codeOf = (character: string): number => {
    const known = characters.get(character)
    if (known !== undefined) return known
    const code = add(font.glyphs[character.codePointAt(0) ?? 0] ?? missingGlyph, character)
    characters.set(character, code)
    return code
  }
  const shaped = new Map<string, number>()
  return {
    font,
    resource,
    glyphs,
    texts,
    write: (output, text) => {
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at)
        if (unit < latinEnd) output.twoBytes((latin[unit] ||= codeOf(text.charAt(at))))
        else {
          const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
          output.twoBytes(codeOf(character))
          at += character.length - 1
        }
      }
    },
    writeGlyph: (output, { glyph, text }) => {
      const key = `${glyph} ${text}`
      const code = shaped.get(key) ?? add(glyph, text)
      shaped.set(key, code)
      output.twoBytes(code)
    },
  }
}
