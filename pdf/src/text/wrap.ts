import { cluster, type Typeface, type Weight } from './typeface.ts'

export type Font = { readonly typeface: Typeface; readonly weight: Weight; readonly size: number }

/** The width of a text in points. */
export const textWidth = (text: string, { typeface, weight, size }: Font): number =>
  (typeface.widthOf(text, weight) * size) / 1_000

/**
 * The lines of a text that is set in this width. Lines break at spaces, after hyphens and slashes between words, and
 * between ideographs. A number stays with its sign, its operator and its unit; only a word that is wider than a line is
 * broken inside, and never a number.
 */
export const wrap = (text: string, width: number, font: Font): readonly string[] => {
  if (!text.includes('\n') && textWidth(text, font) <= width) return [text]
  return text
    .split('\n')
    .flatMap((paragraph) =>
      textWidth(paragraph, font) <= width ? [paragraph] : wrapParagraph(paragraph, width, font),
    )
}

/** The width of the widest part of a text that is never broken. */
export const widestPart = (text: string, font: Font): number =>
  oneWord.test(text)
    ? textWidth(text, font)
    : text
        .split('\n')
        .flatMap(partsOf)
        .reduce((widest, part) => Math.max(widest, textWidth(part.trimEnd(), font)), 0)

const oneWord = /^[\w.,%+]*$/u

const wrapParagraph = (paragraph: string, width: number, font: Font): readonly string[] => {
  const advanceOf = (text: string): number => font.typeface.widthOf(text, font.weight)
  const fits = (advance: number): boolean => (advance * font.size) / 1_000 <= width
  const lines: string[] = []
  let line = ''
  // Measured part by part: measuring the line again with each part takes too long for a text without spaces.
  let used = 0
  const measured = (part: string) => ({ part, own: advanceOf(part.trimEnd()) })
  const parts = partsOf(paragraph).flatMap((part) => {
    const whole = measured(part)
    return fits(whole.own) ? [whole] : wordsOf(part).map(measured)
  })
  for (const { part, own } of parts) {
    if (line !== '' && !fits(used + own)) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    line += part
    if (fits(used + own) || isAtomic(line.trimEnd())) {
      used += spaceBehind(part) === '' ? own : advanceOf(part)
      continue
    }
    const pieces = broken(line.trimEnd(), width, font)
    for (const piece of pieces.slice(0, -1)) lines.push(piece)
    line = (pieces.at(-1) ?? '') + spaceBehind(part)
    used = advanceOf(line)
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line.trimEnd()]
}

const spaceBehind = (part: string): string => part.slice(part.trimEnd().length)

/** Breaks a word that is wider than a line, between characters. */
const broken = (text: string, width: number, font: Font): readonly string[] => {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const [character] of text.matchAll(cluster)) {
    const advance = textWidth(character, font)
    if (piece !== '' && used + advance > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += character
    used += advance
  }
  return [...pieces, piece]
}

/** Signs of which each belongs to the one before must not take quadratic time. */
const longestTogether = 80

/** The parts of a text between which a line may break; each has the space behind it. */
const partsOf = (text: string): readonly string[] => {
  const parts: string[] = []
  for (const word of text.match(rangeOrWord) ?? []) {
    const last = parts.at(-1)
    if (last !== undefined && last.length <= longestTogether && belongTogether(last, word))
      parts[parts.length - 1] = last + word
    else for (const part of breakableParts(word)) parts.push(part)
  }
  return parts
}

/** The words of a part that is wider than a line, unless it is never broken. */
const wordsOf = (part: string): readonly string[] =>
  isAtomic(part.trimEnd()) ? [part] : (part.match(word) ?? []).flatMap(breakableParts)

const breakableParts = (text: string): readonly string[] => {
  if (isAtomic(text.trimEnd())) return [text]
  if (thai.test(text)) return thaiParts(text)
  return text.split(insideWord).filter((part) => part !== '')
}

/** The space behind a text belongs to its last word. */
const thaiParts = (text: string): readonly string[] => {
  const words = [...thaiWords.segment(text.trimEnd())].map(({ segment }) => segment)
  return [...words.slice(0, -1), (words.at(-1) ?? '') + spaceBehind(text)]
}

/** Between words of letters, and around ideographs. What has a short part is one name: ISO-V, Ni-Cr, X-ray. */
const insideWord =
  /(?<=\p{L}{3}[-–_])(?=\p{L}{3})|(?<=\p{L}{3}\/)(?=\p{L})|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}、。，；：）】」])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}（【「])/u

const thai = /\p{Script=Thai}/u
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' })

const operator = String.raw`[<>≤≥=≠~±≈+−-]`
const figure = String.raw`\d[\d.,'’\u00A0\u202F]*(?:·10⁻?[⁰¹²³⁴-⁹]+)?`
const unit = String.raw`(?:%|‰|°\p{L}?|[µμ]?\p{L}{1,4}\d?[²³]?(?:[/·.]\p{L}{1,4}\d?[²³]?)*)`
const connector = '[–…x×/:-]'
const space = String.raw`[ \t\u3000]`
const word = new RegExp(String.raw`[^ \t\u3000]+${space}*`, 'gu')
/** A range or dimensions with spaces, short enough to stay whole with its unit; else a word. */
const shortFigure = String.raw`\d[\d.,'’]{0,7}`
const rangeOrWord = new RegExp(
  `${operator}{0,2}${shortFigure}(?: ${connector} ${operator}?${shortFigure}){1,2}(?:${space}+|$)|${word.source}`,
  'gu',
)
const operatorAlone = new RegExp(`^${operator}{1,2}$`, 'u')
const endsWithFigure = /\d$/u
const unitAlone = new RegExp(`^${unit}$`, 'u')
const knownUnit =
  /^(?:%|‰|°\p{L}?|ppm|ppb|mm|cm|m|km|µm|μm|nm|in|ft|mm²|cm²|m²|mm2|m2|mm³|cm³|m³|m3|g|kg|mg|t|lb|lbs|MPa|GPa|kPa|Pa|bar|psi|ksi|N|kN|MN|J|kJ|K|h|min|s|ms|V|A|W|kW|Hz|l|ml|dl|HV\d*|HB\w*|HR\w*|N\/mm²|N\/mm2|J\/cm²|g\/cm³|kg\/m³|kg\/m|kg\/dm³|Bq\/g|Bq\/kg|µSv\/h|ft·lbf?|pcs|Stk|St)$/u

/** A number with its operator and its unit, a range, a unit: never on two lines. */
const atomic = new RegExp(
  `^${operator}{0,2}\\s?${operator}?${figure}(?:\\s?${connector}\\s?${operator}?${figure})*(?:\\s?${unit})?$`,
  'u',
)

export const isAtomic = (text: string): boolean =>
  text.length <= 40 && (atomic.test(text) || unitAlone.test(text))

/** Whether two words are a number with its operator or its unit. */
const belongTogether = (before: string, after: string): boolean => {
  const [left, right] = [before.trimEnd(), after.trimEnd()]
  const lastWord = left.split(/\s/u).at(-1) ?? ''
  if (operatorAlone.test(lastWord)) return /^[\d.,−+-]/u.test(right)
  if (right === '·') return true
  if (lastWord === '·') return knownUnit.test(right)
  return endsWithFigure.test(lastWord) && knownUnit.test(right)
}
