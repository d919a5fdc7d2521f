import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { canonicalJson } from '../json/canonical.ts'
import type { JsonValue } from '../json/read.ts'
import type { Vector } from './cases.fixture.ts'
import type { CorpusCase } from './cases.fixture.ts'

export const mark = Uint8Array.of(0xef, 0xbb, 0xbf)

type Place = { readonly at: string; readonly isInside: boolean }
type Objects = { readonly [key: string]: JsonValue }

type Given = (name: string, text: string | Uint8Array, expected: string) => CorpusCase

/** The same bundle in other texts, and texts that are none. */
export const textCases = (vector: Vector): CorpusCase[] => {
  const { file, policy, verdict } = vector
  const given: Given = (name, text, expected) => ({
    name: `${vector.name}: ${name}`,
    file,
    policy,
    bundleBytes: encodeBase64(typeof text === 'string' ? utf8(text) : text),
    verdict: expected,
  })
  return [...wholeTexts(vector, given), ...partTexts(vector, given), ...wrongTypes(vector, given)].map(
    (one) => ({ ...one, verdict: one.verdict === same ? verdict : one.verdict }),
  )
}

/** The verdict of the bundle whose text this is. */
const same = 'same'

const wholeTexts = ({ bundle }: Vector, given: Given): CorpusCase[] => {
  const text = canonicalJson(bundle)
  const bytes = utf8(text)
  return [
    given('a byte order mark', concatBytes(mark, bytes), same),
    given('a byte order mark and white space', concatBytes(mark, utf8(' \r\n\t'), bytes), same),
    given('two byte order marks', concatBytes(mark, mark, bytes), 'unchecked'),
    given('a byte order mark after white space', concatBytes(utf8(' '), mark, bytes), 'unchecked'),
    given('a byte order mark at the end', concatBytes(bytes, mark), 'unchecked'),
    given('only a byte order mark', mark, 'unchecked'),
    given('UTF-16', Uint8Array.from([...`\ufeff${text}`].flatMap(unitsOf)), 'unchecked'),
    given(
      'a byte that is not UTF-8',
      concatBytes(bytes.slice(0, -1), Uint8Array.of(0xff, 0x7d)),
      'unchecked',
    ),
    given('indented', JSON.stringify(bundle, undefined, '\t'), same),
    given('white space around', `\n\r\t ${text} \n`, same),
    given('a form feed around', `\f${text}`, 'unchecked'),
    given('a no-break space around', `\u00a0${text}`, 'unchecked'),
    given('text after the end', `${text}{}`, 'unchecked'),
    given('a comma at the end', `${text.slice(0, -1)},}`, 'unchecked'),
    given('a comment', `/**/${text}`, 'unchecked'),
    given('cut off', text.slice(0, -1), 'unchecked'),
    given('empty', '', 'unchecked'),
    ...['[]', 'null', 'true', '2', '""', `[${text}]`].map((other) =>
      given(`${other.slice(0, 9)} in place of an object`, other, 'unchecked'),
    ),
    ...['\0', '\v', '\u0085', '\u2028', '\u3000'].map((space) =>
      given(`U+${space.charCodeAt(0).toString(16)} after the end`, text + space, 'unchecked'),
    ),
    given('escapes', written(bundle, escaped), same),
    given('a lone surrogate', text.replace('"entry":', '"\\ud800":0,"entry":'), 'unchecked'),
    given('a surrogate pair turned round', text.replace('"proof":"', '"proof":"\\ude00\\ud83d'), 'unchecked'),
    given('a tab in a string', text.replace('"proof":"', '"proof":"\t'), 'unchecked'),
    given('an unknown escape', text.replace('"proof":"', '"proof":"\\x41'), 'unchecked'),
  ]
}

const partTexts = ({ bundle }: Vector, given: Given): CorpusCase[] => {
  const found: CorpusCase[] = []
  for (const levels of [61, 63, 64, 65, 66, 67, 100, 101, 1_000])
    found.push(
      given(
        `${levels} levels in the transaction, which no signature covers`,
        changed(bundle, '/entry/transaction', (value) => ({ ...asObject(value), more: nested(levels - 1) })),
        levels + 2 > 68 ? 'unchecked' : 'altered',
      ),
    )
  for (const [literal, isSame] of numbers)
    for (const place of integersOf(bundle, literal))
      found.push(given(`${place.at} as ${literal.slice(0, 30)} …`, place.text, isSame ? same : 'unchecked'))
  for (const place of objectsOf(bundle)) {
    found.push(given(`twice a member of ${place.at}`, twice(bundle, place.at), 'unchecked'))
    const more = changed(bundle, place.at, (value) => ({ ...asObject(value), more: 'x' }))
    found.push(given(`another member in ${place.at}`, more, place.isInside ? 'altered' : 'unchecked'))
    const reversed = changed(bundle, place.at, (value) =>
      Object.fromEntries(Object.entries(asObject(value)).toReversed()),
    )
    found.push(given(`members of ${place.at} in another order`, reversed, same))
  }
  return found
}

const wrongTypes = ({ bundle }: Vector, given: Given): CorpusCase[] =>
  membersOf(bundle).flatMap(({ at, value, isInside }) =>
    [null, true, false, 7, '', 'x', [], {}]
      .filter((other) => isOtherType(value, other))
      .map((other) =>
        given(
          `${at} as ${JSON.stringify(other)}`,
          changed(bundle, at, () => other),
          isInside ? 'altered' : 'unchecked',
        ),
      ),
  )

const unitsOf = (character: string): number[] =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at)).flatMap((unit) => [
    unit & 0xff,
    unit >> 8,
  ])

const nested = (levels: number): JsonValue => {
  let value: JsonValue = null
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

/** Spellings of an integer `n`, and whether they are this integer. `-0` stands for itself. */
const numbers: readonly (readonly [literal: string, isSame: boolean])[] = [
  ['n.0', true],
  ['n.000', true],
  ['ne0', true],
  ['nE+0', true],
  ['n.0e-0', true],
  ['n.5', false],
  ['0n', false],
  ['+n', false],
  ['n.', false],
  ['"n"', false],
  ['-0', false],
  ['-0.0', false],
  ['-0e5', false],
  ['9007199254740992', false],
  ['9007199254740993', false],
  ['0.1234567890123456789', false],
  ['1e400', false],
  ['1e-400', false],
  ['NaN', false],
  ['Infinity', false],
]

const integersOf = (bundle: JsonValue, literal: string): { at: string; text: string }[] =>
  membersOf(bundle)
    .filter(({ value, isInside }) => typeof value === 'number' && !isInside)
    .map(({ at, value }) => ({
      at,
      text: written(bundle, (one, write, where) =>
        where === at ? literal.replace('n', JSON.stringify(value)) : write(one),
      ),
    }))

const isOtherType = (value: JsonValue, other: JsonValue): boolean =>
  typeof value !== typeof other ||
  Array.isArray(value) !== Array.isArray(other) ||
  (value === null) !== (other === null)

const asObject = (value: JsonValue): Objects => value as Objects

/** Every member and item, and whether a transaction has it inside. */
const membersOf = (bundle: JsonValue): (Place & { readonly value: JsonValue })[] => {
  const found: (Place & { readonly value: JsonValue })[] = []
  written(bundle, (value, write, at) => {
    if (at !== '') found.push({ at, value, isInside: /\/transaction\//.test(at) })
    return write(value)
  })
  return found
}

const objectsOf = (bundle: JsonValue): Place[] => [
  { at: '', isInside: false },
  ...membersOf(bundle).flatMap(({ at, value, isInside }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { at, isInside: isInside || at.endsWith('/transaction') }
      : [],
  ),
]

const changed = (bundle: JsonValue, at: string, change: (value: JsonValue) => JsonValue): string =>
  written(bundle, (value, write, where) => write(where === at ? change(value) : value))

const twice = (bundle: JsonValue, at: string): string =>
  written(bundle, (value, write, where) => {
    const [first] = where === at ? Object.entries(asObject(value)) : []
    if (first === undefined) return write(value)
    return write(value).replace('{', `{${JSON.stringify(first[0])}:${JSON.stringify(first[1])},`)
  })

const escaped = (value: JsonValue, write: (value: JsonValue) => string): string =>
  typeof value === 'string'
    ? `"${Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
    : write(value)

/** The text of a value, in which `edit` may write any part in its own way. */
const written = (
  value: JsonValue,
  edit: (value: JsonValue, write: (value: JsonValue) => string, at: string) => string,
  at = '',
): string =>
  edit(
    value,
    (one) => {
      if (typeof one !== 'object' || one === null) return JSON.stringify(one)
      if (Array.isArray(one))
        return `[${one.map((item, place) => written(item, edit, `${at}/${place}`)).join(',')}]`
      const members = Object.entries(one).map(
        ([name, member]) => `${JSON.stringify(name)}:${written(member, edit, `${at}/${name}`)}`,
      )
      return `{${members.join(',')}}`
    },
    at,
  )
