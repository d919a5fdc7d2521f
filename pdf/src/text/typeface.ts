import type { Font } from '../fonts/font.ts'
import { createFontChain, type FontChain } from './font-chain.ts'
import type { PlacedGlyph, Shaper } from './shaper.ts'

export type Weight = 'regular' | 'strong'

/** Text in one font. Without glyphs, each character is one glyph, beside the last one. */
export type Run = {
  readonly font: Font
  readonly text: string
  /** In thousandths of the font size. */
  readonly width: number
  readonly glyphs?: readonly PlacedGlyph[]
  /** Whether what is drawn reads as the text; see `Shaped`. */
  readonly isReadByGlyph?: boolean
}

/** Several fonts as one. */
export type Typeface = {
  readonly covers: (codePoint: number) => boolean
  /** In thousandths of the font size. */
  readonly widthOf: (text: string, weight: Weight) => number
  /** The runs of one line, from left to right. */
  readonly runsOf: (text: string, weight: Weight) => readonly Run[]
}

export type TypefaceFonts = {
  /** Both have the Latin letters up to U+017F. */
  readonly regular: Font
  readonly strong: Font
  /** In the order in which they are searched for characters that the first two lack. */
  readonly others: readonly Font[]
  /** Needed if a text needs shaping. */
  readonly shaper: Shaper | undefined
}

export const createTypeface = (fonts: TypefaceFonts): Typeface => {
  const chains = {
    regular: createFontChain(fonts.regular, fonts.others),
    strong: createFontChain(fonts.strong, [fonts.regular, ...fonts.others]),
  }
  const latin = { regular: latinWidths(fonts.regular), strong: latinWidths(fonts.strong) }
  const shaped = new Map<string, readonly Run[]>()
  const runsOf: Typeface['runsOf'] = (text, weight) => {
    if (onlyLatin.test(text)) return [{ font: fonts[weight], text, width: plainWidth(text, latin[weight]) }]
    const key = `${weight} ${text}`
    const known = shaped.get(key)
    if (known !== undefined) return known
    const runs = runsOfLine(text, { chain: chains[weight], shaper: fonts.shaper })
    if (shaped.size >= maxCached) shaped.clear()
    shaped.set(key, runs)
    return runs
  }
  // Words are shaped one by one, because a text is measured many times until its lines are found.
  const widthOf: Typeface['widthOf'] = (text, weight) => {
    if (onlyLatin.test(text)) return plainWidth(text, latin[weight])
    if (!complex.test(text)) return unshapedWidth(text, chains[weight])
    let width = 0
    let font = chains[weight].fontOf(' ')
    for (const [index, word] of text.split(' ').entries()) {
      if (index > 0) width += font.advance(font.glyphs[0x20] ?? 0)
      if (word === '') continue
      for (const run of runsOf(word, weight)) {
        width += run.width
        font = run.font
      }
    }
    return width
  }
  return {
    covers: chains.regular.covers,
    widthOf,
    runsOf,
  }
}

/** Whether a text must be shaped: marks, and scripts that join, reorder or run from right to left. */
export const needsShaping = (text: string): boolean => !onlyLatin.test(text) && complex.test(text)

/** Typefaces live as long as their process. */
const maxCached = 50_000
const latinEnd = 0x1_80
const onlyLatin = /^[ -~\u00A0-\u017F]*$/u
const complex =
  /[\p{M}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Syriac}\p{Script=Nko}]/u
/** The blocks of Unicode with letters that are written from right to left; without any, all levels are 0. */
const fromRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** A letter with its marks. */
export const cluster = /\P{M}\p{M}*|\p{M}+/gu

const latinWidths = (font: Font): Float64Array =>
  Float64Array.from({ length: latinEnd }, (_, codePoint) => font.advance(font.glyphs[codePoint] ?? 0))

const plainWidth = (text: string, widths: Float64Array): number => {
  let width = 0
  for (let at = 0; at < text.length; at += 1) width += widths[text.charCodeAt(at)] ?? 0
  return width
}

/** Of characters that are each one glyph. A space has the font of the word before it. */
const unshapedWidth = (text: string, chain: FontChain): number => {
  let width = 0
  let font: Font | undefined
  for (const character of text) {
    if (character !== ' ' || font === undefined) font = chain.fontOf(character)
    width += font.advance(font.glyphs[character.codePointAt(0) ?? 0] ?? 0)
  }
  return width
}

/** A piece of a line in one font and of one level. */
type Piece = { readonly font: Font; text: string; readonly level: number }

const runsOfLine = (
  text: string,
  { chain, shaper }: { readonly chain: FontChain; readonly shaper: Shaper | undefined },
): readonly Run[] => {
  const isShaped = complex.test(text)
  const levels = isShaped && fromRight.test(text) ? shaper?.levelsOf(text) : undefined
  const pieces: Piece[] = []
  for (const found of text.matchAll(cluster)) {
    const [characters] = found
    const level = levels?.[found.index] ?? 0
    const last = pieces.at(-1)
    // A space belongs to the word before it, so that a sentence does not fall apart into fonts.
    const font = characters === ' ' && last !== undefined ? last.font : chain.fontOf(characters)
    if (last?.font === font && last.level === level) last.text += characters
    else pieces.push({ font, text: characters, level })
  }
  return reordered(pieces).map((piece) => runOf(piece, shaper))
}

/** Reverses from the highest level down to the lowest odd one (UAX #9, L2). */
const reordered = (pieces: readonly Piece[]): readonly Piece[] => {
  const line = [...pieces]
  const highest = line.reduce((most, { level }) => Math.max(most, level), 0)
  for (let level = highest; level >= 1; level -= 1) {
    for (let from = 0; from < line.length; from += 1) {
      let end = from
      while ((line[end]?.level ?? -1) >= level) end += 1
      for (const [index, piece] of line.slice(from, end).toReversed().entries()) line[from + index] = piece
      from = Math.max(from, end - 1)
    }
  }
  return line
}

const runOf = ({ font, text, level }: Piece, shaper: Shaper | undefined): Run => {
  if (shaper !== undefined && (level % 2 === 1 || complex.test(text))) {
    return { font, text, ...shaper.shape(font, text, level % 2 === 1 ? 'rtl' : 'ltr') }
  }
  let width = 0
  for (const character of text) width += font.advance(font.glyphs[character.codePointAt(0) ?? 0] ?? 0)
  return { font, text, width }
}
