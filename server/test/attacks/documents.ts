import { deflateSync } from 'node:zlib'
import { sampleCertificate } from '../certificates.ts'

export type HostileBody = string | Uint8Array<ArrayBuffer>

const whole = JSON.stringify(sampleCertificate())
const withMember = (member: string): string => `{${member},${whole.slice(1)}`
const latin1 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'))

/** Nine tenths of what is allowed, of structure and of bytes. */
const crowd = Array.from({ length: 9_000 }, (_, at) => `{"k${at % 900}":"${'\\u00e9'.repeat(14)}"}`).join()

/** What is sent as a certificate, and how that may end. */
export const hostileDocuments: readonly (readonly [
  name: string,
  body: HostileBody,
  statuses: readonly number[],
])[] = [
  ['nothing', '', [400]],
  ['no JSON', 'certificate', [400]],
  ['a list', '[]', [400]],
  ['a number', '1', [400]],
  ['no RefSchemaUrl', '{}', [400]],
  ['a RefSchemaUrl that is no text', '{"RefSchemaUrl": 7}', [400]],
  [
    'a schema of the metadata service of a cloud',
    '{"RefSchemaUrl": "http://169.254.169.254/schema.json"}',
    [404, 200],
  ],
  ['a key twice', withMember('"a":1,"a":2'), [400]],
  ['a key twice, escaped', withMember('"a":1,"\\u0061":2'), [400]],
  ['a number that no double holds', withMember('"a":12345678901234567890'), [400]],
  ['a number beyond all', withMember('"a":1e400'), [400]],
  ['half a surrogate pair', withMember('"a":"\\ud800"'), [400]],
  ['a NUL', withMember('"a":"\\u0000"'), [400]],
  ['bytes that are no UTF-8', latin1(withMember('"a":"\xff"')), [400]],
  ['a member called __proto__', withMember('"__proto__":{"isValid":true}'), [400]],
  ['JSON deeper than allowed', withMember(`"a":${'['.repeat(70)}${']'.repeat(70)}`), [400]],
  ['a hundred thousand brackets', '['.repeat(100_000), [400]],
  ['too many keys', withMember(Array.from({ length: 2_000 }, (_, key) => `"k${key}":1`).join()), [400, 413]],
  ['a key twice, behind as many texts as are allowed', `{"a":[${crowd}],"b":1,"b":2}`, [400]],
  ['bytes that are no UTF-8, behind as many as are allowed', latin1(`{"a":[${crowd}],"b":"\xff"}`), [400]],
  ['more than allowed', `{"a":"${'x'.repeat(3_200_000)}"}`, [413]],
]

const bomb = deflateSync(Buffer.alloc(64 * 1_024 * 1_024, ' '), { level: 9 }).toString('latin1')

const pdfs: readonly (readonly [name: string, text: string])[] = [
  ['only its header', '%PDF-1.7\n'],
  ['endless names', `%PDF-1.7\n${'/EmbeddedFile '.repeat(50_000)}`],
  [
    'a stream that says it is a bomb',
    '%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Filter/FlateDecode/Length 9999999999>>stream\nx\u00da\u0003endstream',
  ],
  [
    'a bomb of 64 MiB',
    `%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Filter/FlateDecode/Length ${bomb.length}>>stream\n${bomb}\nendstream endobj`,
  ],
  [
    'JSON that is no certificate',
    '%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Length 2>>stream\n{}\nendstream endobj',
  ],
]

export const hostilePdfs = pdfs.map(([name, text]) => [name, latin1(text)] as const)

const part = (name: string, filename: string) =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${filename === '' ? '' : `; filename="${filename}"`}\r\n\r\n{}\r\n`
/** With the boundary `edge`. */
export const hostileForms: readonly string[] = [
  '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"Ref',
  `${part('other', '')}--edge--\r\n`,
  `${part('file', 'a.json')}${part('file', 'b.json')}--edge--\r\n`,
  '--edge--\r\n',
  '',
]
