import { because, type Reason } from '@millseal/contract/reasons'
import { isEncoded } from './is-encoded.ts'

/** About 300 pages, which take less than a second of processor time. Characters of other scripts take up to ten times as long. */
const most = { characters: 400_000, others: 40_000, lines: 20_000 }
/** A document adds labels and units to the values of a certificate. */
const mostTexts = { certificate: 20_000, document: 60_000 }

type Size = { texts: number; characters: number; others: number; lines: number }

/** What is too long for paper: the pointer to the innermost part that alone is, and why. */
export const tooLongForPaper = (
  value: unknown,
  kind: keyof typeof mostTexts,
): { readonly pointer: string; readonly reason: Reason } | undefined => {
  const limits: Size = { ...most, texts: mostTexts[kind] }
  const reason = excessOf(value, limits)
  if (reason === undefined) return undefined
  let [pointer, part] = ['', value]
  for (;;) {
    const inner = Object.entries(membersOf(part)).find(([, member]) => excessOf(member, limits) !== undefined)
    if (inner === undefined) return { pointer, reason: excessOf(part, limits) ?? reason }
    pointer += `/${inner[0].replaceAll('~', '~0').replaceAll('/', '~1')}`
    part = inner[1]
  }
}

const membersOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

const excessOf = (value: unknown, limits: Size): Reason | undefined => {
  if (isSurelyShort(value, limits)) return undefined
  const size = { texts: 0, characters: 0, others: 0, lines: 0 }
  count(value, size)
  for (const name of ['texts', 'characters', 'others', 'lines'] as const) {
    if (size[name] > limits[name])
      return because('too_long_for_paper', {
        count: size[name],
        what: because(`paper_${name}`),
        most: limits[name],
      })
  }
  return undefined
}

/** Counts without a look into the texts: a line break is a character. */
const isSurelyShort = (value: unknown, { texts, lines }: Size): boolean => {
  const left = { texts, characters: lines }
  take(value, left)
  return left.texts >= 0 && left.characters >= 0
}

const take = (value: unknown, left: { texts: number; characters: number }): void => {
  if (Array.isArray(value)) for (const item of value) take(item, left)
  else if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>
    for (const key in members) take(members[key], left)
  } else {
    left.texts -= 1
    if (typeof value === 'string' && !(value.length >= leastEncoded && isFile(value)))
      left.characters -= value.length
  }
}

/** A picture in Base64 is longer, even one of a single point. */
const leastEncoded = 60

/** Not a text without spaces, which some languages write. */
const isFile = (text: string): boolean => isEncoded(text) && /^[ -~]*$/.test(text.slice(0, 600))

const lineBreak = /[\n\v\f\u0085\u2028\u2029]|\r(?!\n)/gu

/** What is not in the fonts of the page: it is shaped, needs fonts of its own, or is written as its code point. */
const otherCharacter =
  /[^\0-\u02E9\u0384-\u0386\u0388-\u038A\u038C\u038E-\u03A1\u03A3-\u0482\u048A-\u0525\u1E00-\u1EFB\u2010-\u2029\u202F-\u205E\u20A0-\u20B5\u2100-\u2109\u210B-\u2149\u2150-\u2185\u2190-\u2311\u2500-\u269C]/gu

const count = (value: unknown, size: Size): void => {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) count(member, size)
    return
  }
  size.texts += 1
  if (typeof value !== 'string' || value.length < 2 || isFile(value)) return
  size.characters += value.length
  size.others += value.match(otherCharacter)?.length ?? 0
  size.lines += value.match(lineBreak)?.length ?? 0
}
