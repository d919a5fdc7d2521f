import { encodeBase64, tryDecodeBase64 } from '../encoding/base64.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { charactersOfNames } from './policies.corpus.fixture.ts'

export type Text = readonly [name: string, text: string | Uint8Array, verdict: string]

/** Texts of tlog-policies inside of a policy. */
export const tlogPolicyTexts = (log: string): Text[] => [
  ...lineTexts(log),
  ...countedTexts(log),
  ...knownKeyTexts(log),
  ...keyTexts(log),
]

const wrap = (log: string): string => JSON.stringify({ policyVersion: 2, log, nodes: [] })

/** These lines after the log and its three witnesses. */
const withLines = (log: string, lines: readonly string[]): string =>
  wrap([...log.split('\n').slice(0, 4), ...lines, ''].join('\n'))

/** Lines, with | between them, by what becomes of them. */
const lines: Readonly<Record<string, readonly string[]>> = {
  genuine: [
    'quorum inspector',
    '\tgroup \t others  all\tinspector  association |  quorum others\t',
    ' \t |quorum none',
    '  #comment|quorum none',
    'group others any association university|quorum others',
    'group others 1 inspector|quorum others',
    'group one all inspector|group two 2 one association|quorum two',
    'quorum inspector|group later any association',
    'group ü any inspector|quorum ü',
    '#\u0085|quorum none',
    '#\u2028|quorum none',
  ],
  unconfirmed: [
    'group others all inspector association university|quorum others',
    'group two any university|quorum two',
  ],
  unreadable: [
    '',
    'quorum none # comment',
    'quorum inspector|quorum inspector',
    'quorum none|quorum none',
    'quorum nobody',
    'quorum inspector association',
    'quorum',
    'group none any inspector|quorum none',
    'group inspector any association|quorum inspector',
    'group others any others|quorum others',
    'group one any two|group two any inspector|quorum one',
    'group one any inspector|group two any inspector|quorum two',
    'group one 2 inspector inspector|quorum one',
    'group one any|quorum one',
    ...['0', '01', '+1', '1.0', '3', '1000', 'ANY', '', '١'].map(
      (threshold) => `group one ${threshold} inspector association|quorum one`,
    ),
    'mirror x|quorum none',
    'Quorum none',
    'quorum\u00a0none',
    '#\u0001|quorum none',
    '#\u007f|quorum none',
    '#\ufffd|quorum none',
    'quorum none\r',
    'log|quorum none',
    'witness w|quorum none',
  ],
}

const lineTexts = (log: string): Text[] =>
  Object.entries(lines).flatMap(([verdict, list]) =>
    list.map((one): Text => [JSON.stringify(one), withLines(log, one === '' ? [] : one.split('|')), verdict]),
  )

/** Up to 32 of a kind. */
const countedTexts = (log: string): Text[] => {
  const by = (name: string, given: readonly string[], verdict: string): Text => [
    name,
    withLines(log, given),
    verdict,
  ]
  const groups = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `group g${at} any ${at === 0 ? 'inspector' : `g${at - 1}`}`)
  const logs = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `log ${keyOf('a.example', 1, 3 + at)}`)
  const more = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `witness w${at} ${keyOf('a.example/w', 4, 40 + at)}`)
  return [
    by('32 groups', [...groups(32), 'quorum g31'], 'genuine'),
    by('33 groups', [...groups(33), 'quorum g32'], 'unreadable'),
    by('32 logs', [...logs(31), 'quorum none'], 'genuine'),
    by('33 logs', [...logs(32), 'quorum none'], 'unreadable'),
    by('32 witnesses', [...more(29), 'quorum none'], 'genuine'),
    by('33 witnesses', [...more(30), 'quorum none'], 'unreadable'),
    by('a log with three items', [`${logs(1)[0]} a b`, 'quorum none'], 'unreadable'),
    by('a witness with four items', [`${more(1)[0]} a b`, 'quorum none'], 'unreadable'),
    by('a witness with an address', [`${more(1)[0]} not-an-address`, 'quorum none'], 'genuine'),
  ]
}

/** Keys and names that another line has. */
const knownKeyTexts = (log: string): Text[] => {
  const [logLine = '', witness = ''] = log.split('\n')
  const keyOfLog = logLine.split(' ')[1] ?? ''
  const fresh = keyOf('a.example/w', 4, 9)
  const given: Readonly<Record<string, string>> = {
    'a log twice': logLine,
    'a witness twice, under another name': `witness again ${keyIn(witness)}`,
    'a witness with a taken name': `witness inspector ${fresh}`,
    'a witness that is called none': `witness none ${fresh}`,
    'a witness with the key of the log': `witness w ${keyOfLog}`,
  }
  return Object.entries(given).map(([name, line]) => [
    name,
    withLines(log, [line, 'quorum none']),
    'unreadable',
  ])
}

const keyIn = (line = ''): string => line.split(' ')[2] ?? ''

/** A key of this type. Its bytes are only this one. */
const keyOf = (name: string, type: number, byte: number, length = 32): string =>
  vkeyOf(name, concatBytes(Uint8Array.of(type), new Uint8Array(length).fill(byte)))

const vkeyOf = (name: string, bytes: Uint8Array): string =>
  `${name}+${encodeHex(primitives.sha256(concatBytes(utf8(`${name}\n`), bytes)).slice(0, 4))}+${encodeBase64(bytes)}`

/** Keys of a further witness, of which each has one fault. */
const keyTexts = (log: string): Text[] => {
  const good = keyIn(log.split('\n')[1])
  const [name = '', id = '', encoded = ''] = good.split('+').with(2, good.split('+').slice(2).join('+'))
  const bytes = tryDecodeBase64(encoded) ?? new Uint8Array()
  const given = (says: string, key: string, verdict: string): Text => [
    `a witness: ${says}`,
    wrap(log.replace('group', `witness further ${key}\ngroup`)),
    verdict,
  ]
  const other = bytes.with(1, (bytes[1] ?? 0) ^ 1)
  return [
    given('another key of the same name', vkeyOf(name, other), 'genuine'),
    given('the same key of another name', vkeyOf('a.example/w', bytes), 'unreadable'),
    given('the type of a log', vkeyOf(name, other.with(0, 1)), 'unreadable'),
    given('the type of ML-DSA-44', keyOf(name, 6, 1, 1_312), 'unreadable'),
    given('an unknown type', vkeyOf(name, other.with(0, 5)), 'unreadable'),
    given('a key of 31 bytes', keyOf(name, 4, 1, 31), 'unreadable'),
    given('a key of 33 bytes', keyOf(name, 4, 1, 33), 'unreadable'),
    given('another id', `${name}+00000000+${encodeBase64(other)}`, 'unreadable'),
    given('an id in capitals', `${name}+${id.toUpperCase()}+${encodeBase64(other)}`, 'unreadable'),
    given('no name', vkeyOf('', other), 'unreadable'),
    given('a key of small order', keyOf('a.example/w', 4, 0), 'genuine'),
    ...charactersOfNames
      // Others are no item, or no line, of a tlog-policy.
      .filter(({ character }) => character > ' ' && character !== '\u007f')
      .map(({ says, character, isAllowed }) =>
        given(`a name with ${says}`, vkeyOf(`a${character}b`, other), isAllowed ? 'genuine' : 'unreadable'),
      ),
  ]
}
