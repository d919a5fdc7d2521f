import { type Certificate, heatsOf, summarize } from '@millseal/families'
import { withoutMarks } from '@millseal/proof'

const longestWord = 64
const longestText = 4_000

/** What the list shows of a certificate, and its heats. */
export const wordsOf = (certificate: Certificate): string =>
  searchWords([...Object.values(summarize(certificate)).flat(), ...heatsOf(certificate)])

/**
 * The words by which a certificate is found, with a space between them: letters and digits, without case and accents.
 * `PO-4711` is found as `po`, `4711` and `po4711`.
 */
export const searchWords = (texts: readonly string[]): string => {
  const words = new Set<string>()
  let length = 0
  for (const word of texts.flatMap(chunksOf).flatMap(withWhole)) {
    if (words.has(word)) continue
    length += word.length + 1
    if (length > longestText) break
    words.add(word)
  }
  return [...words].join(' ')
}

/** How to find each word of a query: `grams` for the index, `patterns` for the certificates that the index proposes. */
export type TextQuery = { readonly grams: readonly string[]; readonly patterns: readonly string[] }

/** Undefined if the text has neither letters nor digits. */
export const readTextQuery = (text: string): TextQuery | undefined => {
  const words = [...new Set(chunksOf(text).flat())]
  if (words.length === 0) return undefined
  return {
    grams: [...new Set(words.flatMap(gramsOf))],
    // The words have no special characters of LIKE.
    patterns: words.map((word) => (isShort(word) ? `% ${word}%` : `%${word}%`)),
  }
}

/** Of what is separated by white space, the words. A Chinese or Japanese character is a word. */
const chunksOf = (text: string): readonly (readonly string[])[] =>
  plain(text)
    .split(/\s+/u)
    .map((chunk) => chunk.match(wordForm) ?? [])
    .map((parts) => parts.map((part) => [...part].slice(0, longestWord).join('')))

const wordForm =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}])+/gu

const withWhole = (parts: readonly string[]): readonly string[] => {
  const whole = parts.join('')
  return parts.length > 1 && whole.length <= longestWord ? [...parts, whole] : parts
}

/** Letters that Unicode does not decompose. */
const unaccented: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
}

const plain = (text: string): string =>
  withoutMarks(text)
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => unaccented[letter] ?? letter)

/** Words of one or two letters are found at the beginning of words only. */
const isShort = (word: string): boolean => [...word].length < 3

/** Every third of those that `text_grams` of the database makes of a word that contains this one: fewer are quicker. */
const gramsOf = (word: string): readonly string[] => {
  if (isShort(word)) return [` ${word}`]
  const letters = [...word]
  const last = letters.length - 3
  return letters
    .filter((_, at) => at % 3 === 0)
    .map((_, at) => letters.slice(Math.min(at * 3, last), Math.min(at * 3, last) + 3).join(''))
}
