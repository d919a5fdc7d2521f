import type { Font } from '../fonts/font.ts'

/** Fonts in the order in which they are searched. */
export type FontChain = {
  readonly covers: (codePoint: number) => boolean
  /** The first font that has every character of a letter with its marks; if none has, the first of all. */
  readonly fontOf: (cluster: string) => Font
}

/** A text in ideographs has hundreds of fonts, so the fonts of a character are found only once. */
export const createFontChain = (first: Font, others: readonly Font[]): FontChain => {
  const fonts = [first, ...others]
  const known = new Map<number, readonly Font[]>()
  const fontsWith = (codePoint: number): readonly Font[] => {
    const found = known.get(codePoint)
    if (found !== undefined) return found
    const made = fonts.filter((font) => has(font, codePoint))
    if (known.size >= maxKnown) known.clear()
    known.set(codePoint, made)
    return made
  }
  return {
    covers: (codePoint) => fontsWith(codePoint).length > 0,
    fontOf: (cluster) => {
      const codePoint = cluster.codePointAt(0) ?? 0
      const withLetter = fontsWith(codePoint)
      if (cluster.length <= 1) return withLetter[0] ?? first
      const characters = [...cluster]
      const hasAll = (font: Font) => characters.every((character) => has(font, character.codePointAt(0) ?? 0))
      return withLetter.find(hasAll) ?? first
    },
  }
}

/** Some chains live as long as their process. */
const maxKnown = 40_000

const has = ({ glyphs }: Font, codePoint: number): boolean => (glyphs[codePoint] ?? 0) !== 0
