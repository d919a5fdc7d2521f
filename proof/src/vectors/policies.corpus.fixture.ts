import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { type CorpusCase, did, members, type Vector } from './cases.fixture.ts'
import { mark } from './texts.corpus.fixture.ts'

type Text = readonly [name: string, text: string | Uint8Array, verdict: string]

const refused = [
  0x00, 0x01, 0x08, 0x09, 0x0b, 0x0c, 0x0d, 0x1b, 0x1c, 0x1f, 0x20, 0x2b, 0x7f, 0x80, 0x85, 0x9f, 0xa0,
  0x1680, 0x2000, 0x2003, 0x2007, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]
const allowed = [0x21, 0x7e, 0xa1, 0xad, 0x180e, 0x200b, 0x200d, 0x202e, 0x2060, 0xfeff, 0xffff, 0x1f600]

const spelled = (character: string): string =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

/** Characters of a key's name, and whether it may have them: white space as Unicode defines it, control characters and + are refused. */
export const charactersOfNames = [
  ...refused.map((code) => ({ code, isAllowed: false })),
  ...allowed.map((code) => ({ code, isAllowed: true })),
].map(({ code, isAllowed }) => ({
  says: spelled(String.fromCodePoint(code)),
  character: String.fromCodePoint(code),
  isAllowed,
}))

/** Writes the key of a log without judging it. */
const keyLine = (name: string, key: Uint8Array): string =>
  `${name}+${encodeHex(primitives.sha256(concatBytes(utf8(`${name}\n`), key)).slice(0, 4))}+${encodeBase64(key)}`

/** Policies for one bundle, in texts of their own. `unreadable`: a verifier refuses them, exit code 2. */
export const policyCases = ({ name: whose, file, bundle, policy }: Vector): CorpusCase[] => {
  const [key = ''] = members(policy)['logs'] as string[]
  return [...wholeTexts(key), ...memberTexts(key), ...keyTexts(key)].map(([name, text, verdict]) => ({
    name: `${whose}: policy: ${name}`,
    file,
    bundle,
    policyBytes: encodeBase64(typeof text === 'string' ? utf8(text) : text),
    verdict,
  }))
}

const wholeTexts = (key: string): Text[] => {
  const text = `{"logs":[${JSON.stringify(key)}]}`
  const nested = (levels: number) =>
    text.replace(
      '{',
      `{"issuers":[{"did":"x","name":"x","more":${'['.repeat(levels)}${']'.repeat(levels)}}],`,
    )
  return [
    ['as it is', text, 'genuine'],
    ['a byte order mark', concatBytes(mark, utf8(text)), 'genuine'],
    ['two byte order marks', concatBytes(mark, mark, utf8(text)), 'unreadable'],
    ['white space around', ` \r\n\t${text}\n`, 'genuine'],
    ['a no-break space before', `\u00a0${text}`, 'unreadable'],
    ['NUL after the end', `${text}\0`, 'unreadable'],
    ['text after the end', `${text}{}`, 'unreadable'],
    ['empty', '', 'unreadable'],
    ['a byte that is not UTF-8', concatBytes(utf8(text), Uint8Array.of(0xff)), 'unreadable'],
    ['a member twice', text.replace('{', '{"logs":[],'), 'unreadable'],
    ['a member twice, once escaped', text.replace('{', '{"l\\u006fgs":[],'), 'unreadable'],
    [
      'a member of an issuer twice',
      text.replace('{', '{"issuers":[{"did":"","did":"","name":""}],'),
      'unreadable',
    ],
    ['a lone surrogate', text.replace('{', '{"issuers":[{"did":"","name":"\\ud800"}],'), 'unreadable'],
    ['68 levels', nested(65), 'genuine'],
    ['69 levels', nested(66), 'unreadable'],
    ['no members', '{}', 'unchecked'],
    ...['[]', 'null', 'true', '1', '""', `[${text}]`, JSON.stringify(key)].map(
      (other): Text => [`${other.slice(0, 9)} in place of an object`, other, 'unreadable'],
    ),
  ]
}

const memberTexts = (key: string): Text[] => {
  const given = (member: string, verdict: string): Text => [
    member.slice(0, 60),
    `{${member},"logs":[${JSON.stringify(key)}]}`,
    verdict,
  ]
  const version = (verdict: string) => (text: string) => given(`"policyVersion":${text}`, verdict)
  const issuers = (verdict: string) => (text: string) => given(`"issuers":${text}`, verdict)
  const only = (verdict: string) => (text: string) => given(`"onlyKnownIssuers":${text}`, verdict)
  return [
    ...['1', '1.0', '1e0', '10e-1', '0.1e1'].map(version('genuine')),
    ...['2', '0', '-0', '-1', '1.5', '"1"', 'null', 'true', '[1]', '1e400', '9007199254740993'].map(
      version('unreadable'),
    ),
    ...[
      '[]',
      `[{"did":"${did}","name":"A"}]`,
      '[{"did":"","name":""}]',
      '[{"did":"x","name":"x","more":1}]',
    ].map(issuers('genuine')),
    ...['null', '{}', '"x"', '[1]', '[null]', '["x"]', '[[]]', '[{}]', '[{"did":"x"}]', '[{"name":"x"}]'].map(
      issuers('unreadable'),
    ),
    ...['[{"did":1,"name":"x"}]', '[{"did":"x","name":null}]', '[{"__proto__":{"did":"x","name":"x"}}]'].map(
      issuers('unreadable'),
    ),
    ...['true'].map(only('refused')),
    ...['false'].map(only('genuine')),
    ...['null', '0', '1', '"true"', '[]'].map(only('unreadable')),
    ...['more', '', 'Logs', ' logs', '\ufefflogs', 'logs\0', '__proto__', 'constructor'].map((name) =>
      given(`${JSON.stringify(name)}:[]`, 'unreadable'),
    ),
  ]
}

/** Lists of logs, of which one item is in doubt. */
const keyTexts = (key: string): Text[] => {
  const [name = '', id = '', encoded = ''] = key.split('+').with(2, key.split('+').slice(2).join('+'))
  const bytes = tryDecodeBase64(encoded) ?? new Uint8Array()
  const given = (says: string, verdict: string, ...logs: readonly unknown[]): Text => [
    `the logs: ${says}`,
    JSON.stringify({ logs }),
    verdict,
  ]
  const wrong: readonly (readonly [says: string, line: unknown])[] = [
    ['an empty text', ''],
    ['no text', null],
    ['a number', 1],
    ['a list', [key]],
    ['only a name', name],
    ['no key', `${name}+${id}`],
    ['another id', `${name}+00000000+${encoded}`],
    ['an id in capitals', `${name}+${id.toUpperCase()}+${encoded}`],
    ['an id of 7 digits', `${name}+${id.slice(1)}+${encoded}`],
    ['an id of 9 digits', `${name}+0${id}+${encoded}`],
    ['an id with 0x', `${name}+0x${id.slice(2)}+${encoded}`],
    ['more padding', `${key}=`],
    ['another algorithm', keyLine(name, bytes.with(0, 2))],
    ['a key of 31 bytes', keyLine(name, bytes.slice(0, -1))],
    ['a key of 33 bytes', keyLine(name, concatBytes(bytes, Uint8Array.of(0)))],
    ['no name', keyLine('', bytes)],
    ...[' ', '\n', '\t', '\u00a0', '\ufeff'].flatMap((space) =>
      [
        ['before the key', space + key],
        ['after the key', key + space],
        ['inside the base64', `${key.slice(0, -8)}${space}${key.slice(-8)}`],
      ].map(([where, line]): readonly [string, unknown] => [`${spelled(space)} ${where}`, line]),
    ),
  ]
  const stranger = keyLine(name, bytes.with(1, 0))
  return [
    given('none', 'unchecked'),
    given('one twice', 'genuine', key, key),
    given('only another key of the log', 'altered', stranger),
    given('another key of the log, which did not sign', 'genuine', key, stranger),
    given('another key of the log, which did not sign, first', 'genuine', stranger, key),
    given('a key of small order', 'genuine', key, keyLine(name, Uint8Array.of(1, ...new Uint8Array(32)))),
    ...wrong.flatMap(([says, line]) => [
      given(says, 'unreadable', line),
      given(`a right one, and ${says}`, 'unreadable', key, line),
    ]),
    ...charactersOfNames.map(({ says, character, isAllowed }) =>
      given(
        `a name with ${says}`,
        isAllowed ? 'genuine' : 'unreadable',
        key,
        keyLine(`a${character}b`, bytes),
      ),
    ),
  ]
}
