import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes, utf8 } from '../encoding/bytes.ts'
import { did, mill, sha256 } from './cases.fixture.ts'
import type { CorpusCase } from './cases.fixture.ts'
import { createTestLog, record } from './log.fixture.ts'
import { mark } from './texts.corpus.fixture.ts'

/** Canonical (RFC 8785), written by hand: names by UTF-16 units, numbers as ECMAScript writes them. */
const canonical =
  '{"":0,"a":[1.5,1e+21,0.000001,1e-7,-0.1,0.1,null],"\u{1f600}":"\\u000f\\n\\"\\\\/","\ufb33":true}'
const pdf = '%PDF-1.7\n'
const opened = async () => {
  const log = createTestLog('mill.example/ledger/live')
  const known = { issuers: [{ did, name: 'Our mill' }] }
  return async (name: string, content: string | Uint8Array, notarized: string, verdict: string) => {
    const bytes = typeof content === 'string' ? utf8(content) : content
    const member = name.startsWith('PDF') ? 'pdfHash' : 'jsonHash'
    const certificate = log.add(record(mill, { [member]: notarized }), '2026-11-22T05:10:00.000Z')
    const bundle = await log.bundle(certificate, {}, '2026-11-22T05:50:00.000Z')
    const policy = { logs: [log.vkey], ...known }
    return { name: `certificate: ${name}`, file: { bytes: encodeBase64(bytes) }, bundle, policy, verdict }
  }
}

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

type Text = readonly [name: string, text: string, notarized: string, verdict: string]

/** Texts of certificates, each with the canonical text that was notarized. */
const texts: readonly Text[] = [
  ['as it was notarized', canonical, canonical, 'genuine'],
  [
    'white space and other order',
    ' {"\ufb33" : true,\r\n"":-0,"a":[15e-1,1e21,1e-6,1.0e-7,-1e-1,0.10,null],"\\ud83d\\ude00":"\\u000F\\u000a\\"\\\\\\/"}\t',
    canonical,
    'genuine',
  ],
  ['another value', canonical.replace('1.5', '1.25'), canonical, 'altered'],
  ['a member twice', '{"a":1,"a":1}', '{"a":1}', 'unreadable'],
  ['a member twice, once escaped', '{"a":1,"\\u0061":1}', '{"a":1}', 'unreadable'],
  ['members that differ by normalization', '{"e\u0301":1,"\u00e9":2}', '{"e\u0301":1,"\u00e9":2}', 'genuine'],
  ['__proto__', '{"__proto__":{"a":1},"constructor":2}', '{"__proto__":{"a":1},"constructor":2}', 'genuine'],
  ['names of integers', '{"10":1,"9":2}', '{"10":1,"9":2}', 'genuine'],
  ...['[]', '[{}]', `[${canonical}]`, '"x"', '""', '7', '0', 'true', 'false', 'null'].map(
    (value): Text => [`${value.slice(0, 8)} in place of an object`, value, value, 'unreadable'],
  ),
  ['no members', '{}', '{}', 'genuine'],
  // Readers of several files tell bundles and policies from certificates by these members.
  ...['formatVersion', 'logs', 'policyVersion'].flatMap((name): Text[] => [
    [`the member ${name}`, `{"${name}":1}`, `{"${name}":1}`, 'unreadable'],
    [`the member ${name} inside`, `{"a":{"${name}":1}}`, `{"a":{"${name}":1}}`, 'genuine'],
  ]),
  ['the member \ufefflogs', '{"\ufefflogs":[]}', '{"\ufefflogs":[]}', 'genuine'],
  ['a mark of PDF in a string', '{"a":"%PDF-1.7"}', '{"a":"%PDF-1.7"}', 'genuine'],
  ['a mark of PDF after white space and {', ' \r\n\t{"a":"%PDF-1.7"}', '{"a":"%PDF-1.7"}', 'genuine'],
]

/** Values of the one member of a certificate. */
const values: readonly Text[] = [
  ['another order in a list', '[2,1]', '[1,2]', 'altered'],
  ['an integer of 2^53 - 1', '9007199254740991', '9007199254740991', 'genuine'],
  ['an integer of 2^53', '9007199254740992', '9007199254740992', 'unreadable'],
  ['2^53 with a fraction', '9007199254740992.0', '9007199254740992', 'genuine'],
  ['a tenth', '[0.1,0.10,1e-1,10e-2]', '[0.1,0.1,0.1,0.1]', 'genuine'],
  ['digits beyond a double', '0.1234567890123456789', '0.12345678901234568', 'unreadable'],
  ['17 digits that a double has', '0.30000000000000004', '0.30000000000000004', 'genuine'],
  ['17 digits that no double has', '0.30000000000000003', '0.30000000000000004', 'unreadable'],
  ['the smallest double', '5e-324', '5e-324', 'genuine'],
  ['below the smallest double', '1e-324', '0', 'unreadable'],
  ['the greatest double', '1.7976931348623157e308', '1.7976931348623157e+308', 'genuine'],
  ['above the greatest double', '1e309', '0', 'unreadable'],
  ['zero with a great exponent', '0e9999999999999999999', '0', 'genuine'],
  ['zero with a great negative exponent', '[-0.00e-9999999999999999999]', '[0]', 'genuine'],
  ['minus zero', '[-0,-0.0]', '[0,0]', 'genuine'],
  ['a number with a leading zero', '[01]', '[1]', 'unreadable'],
  ['a number without digits before the point', '[.5]', '[0.5]', 'unreadable'],
  ['64 levels', nested(63), nested(63), 'genuine'],
  [
    '64 levels around a value',
    '['.repeat(63) + '7' + ']'.repeat(63),
    '['.repeat(63) + '7' + ']'.repeat(63),
    'genuine',
  ],
  ['65 levels', nested(64), nested(64), 'unreadable'],
  ['100,000 levels', nested(100_000), '[]', 'unreadable'],
  ['a lone surrogate', '["\\ud800"]', '["\ufffd"]', 'unreadable'],
  ['a lone low surrogate', '["\\udc00a"]', '["\ufffda"]', 'unreadable'],
  ['a pair of surrogates', '["\\ud83d\\ude00"]', '["\u{1f600}"]', 'genuine'],
  [
    'the characters that JSON escapes',
    '["\\u0000\\u001f\\u007f\\u2028\\b\\f"]',
    '["\\u0000\\u001f\u007f\u2028\\b\\f"]',
    'genuine',
  ],
  ['single quotes', "['a']", '["a"]', 'unreadable'],
  ['a comma at the end', '[1,]', '[1]', 'unreadable'],
  ['no value', ' ', '""', 'unreadable'],
  ['a byte order mark inside a string', '["\ufeff"]', '["\ufeff"]', 'genuine'],
  [
    'a mark of PDF after 1,024 bytes',
    `["${' '.repeat(1_030)}%PDF-"]`,
    `["${' '.repeat(1_030)}%PDF-"]`,
    'genuine',
  ],
]

const inObject = ([name, text, notarized, verdict]: Text): Text => [
  name,
  `{"a":${text}}`,
  `{"a":${notarized}}`,
  verdict,
]

const pdfs: readonly Text[] = [
  ['PDF', pdf, pdf, 'genuine'],
  ['PDF after other bytes', `x\n${pdf}`, `x\n${pdf}`, 'genuine'],
  ['PDF whose mark ends at byte 1,024', `${'x'.repeat(1_019)}%PDF-`, `${'x'.repeat(1_019)}%PDF-`, 'genuine'],
  ['PDF that begins as a list', `["${pdf}`, `["${pdf}`, 'genuine'],
  ['PDF with one byte more', `${pdf} `, pdf, 'altered'],
]

const inQuotes = (...bytes: readonly number[]): Uint8Array =>
  concatBytes(utf8('{"a":"'), Uint8Array.from(bytes), utf8('"}'))

/** The text forms of a certificate. `unreadable`: it cannot be read, exit code 2. */
export const certificateCases = async (): Promise<CorpusCase[]> => {
  const one = await opened()
  const found: CorpusCase[] = []
  for (const [name, text, notarized, verdict] of [...texts, ...values.map(inObject), ...pdfs])
    found.push(await one(name, text, sha256(notarized), verdict))
  const json = utf8(canonical)
  const genuine = sha256(canonical)
  found.push(await one('a byte order mark', concatBytes(mark, json), genuine, 'genuine'))
  found.push(await one('two byte order marks', concatBytes(mark, mark, json), genuine, 'unreadable'))
  found.push(
    await one(
      'white space, then a byte order mark',
      concatBytes(utf8(' '), mark, json),
      genuine,
      'unreadable',
    ),
  )
  found.push(await one('a byte that is not UTF-8', inQuotes(0xff), genuine, 'unreadable'))
  found.push(await one('an encoded surrogate', inQuotes(0xed, 0xa0, 0x80), genuine, 'unreadable'))
  const pdfInside = '{"a":"%PDF-1.7"}'
  found.push(
    await one(
      'a byte order mark, { and a mark of PDF',
      concatBytes(mark, utf8(pdfInside)),
      sha256(pdfInside),
      'genuine',
    ),
  )
  return found
}
