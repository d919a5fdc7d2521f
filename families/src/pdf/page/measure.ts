import type { FontMetrics } from './font-metrics.ts'

/** Widths of texts in points. The strong weight of Plex is estimated; kerning is ignored. */
export type Measure = {
  readonly text: (text: string, size: number, weight?: 'regular' | 'strong') => number
  readonly longestWord: (text: string, size: number, weight?: 'regular' | 'strong') => number
  /** Inserts break opportunities into words that are wider than the line. */
  readonly breakable: (text: string, size: number, width: number) => string
}

const strongFactor = 1.045
const mayBreakAfter = '\u200B'

export const createMeasure = (fonts: FontMetrics): Measure => {
  // Fast path for most characters of most certificates.
  const latin = Uint16Array.from({ length: 0x1_80 }, (_, codePoint) => fonts.advance(codePoint))
  const text: Measure['text'] = (value, size, weight = 'regular') => {
    let thousandths = 0
    for (let at = 0; at < value.length; at += 1) {
      const codePoint = value.codePointAt(at) ?? 0
      thousandths += latin[codePoint] ?? fonts.advance(codePoint)
      if (codePoint > 0xff_ff) at += 1
    }
    return (thousandths / 1_000) * size * (weight === 'strong' ? strongFactor : 1)
  }
  const broken = (word: string, size: number, width: number): string => {
    let line = 0
    let result = ''
    for (const character of word) {
      const advance = text(character, size)
      if (line + advance > width * 0.96 && line > 0) {
        result += mayBreakAfter
        line = 0
      }
      line += advance
      result += character
    }
    return result
  }
  return {
    text,
    longestWord: (value, size, weight) =>
      oneWord.test(value)
        ? text(value, size, weight)
        : Math.max(0, ...wordsOf(value).map((word) => text(word, size, weight))),
    breakable: (value, size, width) =>
      text(value, size) <= width
        ? value
        : value.replaceAll(/\S+/gu, (word) => (text(word, size) <= width ? word : broken(word, size, width))),
  }
}

const oneWord = /^[\w.,%]*$/

/** Splits a text where a line may break: at spaces, after hyphens and slashes, between Chinese characters. */
const wordsOf = (value: string): string[] =>
  value.split(/\s+|(?<=[-/–])|(?<=[\u2E80-\u9FFF\uF900-\uFAFF])/u).filter((word) => word !== '')
