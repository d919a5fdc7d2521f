import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findLookalike } from './users.store.ts'

/** The scripts that Unicode recommends for identifiers (UAX 31, table 5). Those in one line are written together (UTS 39 §5.1). */
const writingSystems = [
  ...'Latin Greek Cyrillic Armenian Hebrew Arabic Thaana Ethiopic Georgian Devanagari Bengali Gurmukhi'.split(
    ' ',
  ),
  ...'Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer'.split(' '),
  'Han Hiragana Katakana',
  'Han Hangul',
  'Han Bopomofo',
].map((scripts) => {
  const own = scripts.split(' ').map((script) => String.raw`\p{Script_Extensions=${script}}`)
  return new RegExp(String.raw`^[${own.join('')}\p{Script=Inherited}\d._+-]*$`, 'u')
})

/** What is wrong with the name alone. Undefined if a person can read it without doubt. */
export const faultOfUsername = (name: string): Reason | undefined => {
  const odd = /[^\p{L}\p{M}\p{Nd}._+-]/u.exec(name)
  if (odd !== null) {
    return because('username_has_character', { character: codePoint(odd[0]) })
  }
  if (name.normalize('NFC') !== name.normalize('NFKC')) {
    return because('username_has_odd_letters')
  }
  if (/^\p{M}|[._+\d-]\p{M}|\p{M}{4}/u.test(name)) return because('username_has_odd_accents')
  if (!writingSystems.some((system) => system.test(name))) {
    return because('username_mixes_scripts')
  }
  return undefined
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const refused = (why: Reason): Problem =>
  new Problem('validation_failed', { reasons: [atPlace('/username', why)] })

/** Returns the name as it is stored. */
export const acceptableUsername = (given: string): string => {
  const fault = faultOfUsername(given)
  if (fault !== undefined) throw refused(fault)
  return given.normalize('NFC')
}

/** Throws if the name looks like that of another user, or like the operator of the service. */
export const assertDistinctUsername = async (query: Query, name: string, ownId?: string): Promise<void> => {
  const { skeleton, isTaken } = await findLookalike(query, { name, ownId })
  if (isTaken) throw refused(because('username_looks_like_another'))
  if (isReserved(skeleton)) throw refused(because('username_looks_like_operator'))
}

/** An acceptable name as near as possible to a text that was not written as one, and whether nobody has one like it. */
export const usernameFrom = async (
  query: Query,
  text: string,
): Promise<{ readonly name: string; readonly isFree: boolean }> => {
  const plain = text.normalize('NFKC').replaceAll(/[^\p{L}\p{M}\p{Nd}._+-]+/gu, '-')
  const name = faultOfUsername(plain) === undefined ? plain : plain.replaceAll(/[^a-zA-Z\d._+-]+/g, '-')
  const { skeleton, isTaken } = await findLookalike(query, { name, ownId: undefined })
  return isReserved(skeleton) ? { name: 'user', isFree: false } : { name, isFree: !isTaken }
}

/** Digits and separators do not make a name another one here: operator-2 is as misleading. */
const isReserved = (skeleton: string): boolean =>
  /^(?:operator|millseal)/.test(skeleton.replaceAll(/[\d._+-]/g, ''))
