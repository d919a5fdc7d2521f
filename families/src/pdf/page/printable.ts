import { replaceUncovered } from '../../model/replace-uncovered.ts'
import type { FontMetrics } from './font-metrics.ts'

/** Text that the engine can draw: what it cannot stands there by its code point (`[U+1F680]`). */
export type Printable = (text: string) => string

/** `lenient` draws whatever a font has; `strict` is a later attempt, for combinations that no font draws. */
export const createPrintable = (fonts: FontMetrics, strictness: 'lenient' | 'strict'): Printable => {
  const covers = (codePoint: number): boolean => {
    const character = String.fromCodePoint(codePoint)
    const isDrawn = fonts.covers(codePoint) && !neverDrawn.test(character)
    return isDrawn && (strictness === 'lenient' || plain.test(character))
  }
  return (text) =>
    ordinary.test(text)
      ? text
      : replaceUncovered(text.replaceAll(lineBreaks, '\n').replaceAll(silent, ''), covers)
}

/** Most texts are made of these, which Plex draws. */
const ordinary = /^[ -~\u00A0-\u00AC\u00AE-\u017E\n]*$/u

const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu

/** Soft hyphens, zero-width marks and variation selectors: nobody sees that they are not there. */
const silent = /\u00AD|[\u200B-\u200D]|[\u2060-\u2064]|\uFEFF|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu

/** Half a surrogate pair, private use, not assigned, and the marks that turn text around (Unicode TR 36 §2.5). */
const neverDrawn = /[\p{Cs}\p{Co}\p{Cn}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFC]/u

const plain = /[\p{L}\p{N}\p{P}\p{S}\p{Zs}]/u
