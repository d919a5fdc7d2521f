import { replaceUncovered } from '../../model/replace-uncovered.ts'
import type { FontChain } from '../fonts.ts'

/** Replaces characters that the engine cannot draw by their code point (`[U+1F680]`). */
export type Printable = (text: string) => string

/** `lenient` keeps every covered character; `strict` is a second attempt for combinations that no font draws. */
export const createPrintable = (fonts: FontChain, strictness: 'lenient' | 'strict'): Printable => {
  const covers = (codePoint: number): boolean => {
    const character = String.fromCodePoint(codePoint)
    const isDrawn = fonts.covers(codePoint) && !neverDrawn.test(character)
    return isDrawn && (strictness === 'lenient' || plain.test(character))
  }
  const separateMarks = (whole: string, base: string, marks: string): string =>
    fonts.areFromOneFont([...whole].map(codePointOf))
      ? whole
      : base + [...marks].map((mark) => `[${nameOf(mark)}]`).join('')
  return (text) =>
    ordinary.test(text)
      ? text
      : replaceUncovered(
          text.replaceAll(lineBreaks, '\n').replaceAll(invisible, '').replaceAll(markedLetter, separateMarks),
          covers,
        )
}

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

const nameOf = (character: string): string =>
  `U+${codePointOf(character).toString(16).toUpperCase().padStart(4, '0')}`

/** A letter with combining marks. */
const markedLetter = /(\P{M})(\p{M}+)/gu

/** Plex covers these; most texts contain nothing else. */
const ordinary = /^[ -~\u00A0-\u00AC\u00AE-\u017E\n]*$/u

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu

/** Soft hyphens, zero-width characters and variation selectors, which are invisible. */
const invisible = /\u00AD|[\u200B-\u200D]|[\u2060-\u2064]|\uFEFF|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu

/** Lone surrogates, private use, unassigned, and characters that reorder text (Unicode TR 36 §2.5). */
const neverDrawn = /[\p{Cs}\p{Co}\p{Cn}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFC]/u

const plain = /[\p{L}\p{N}\p{P}\p{S}\p{Zs}]/u
