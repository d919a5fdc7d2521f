import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { JsonValue } from '@millseal/proof'
import { certificateLimits } from './limits.ts'
import { CertificateUnreadable, readCertificate } from './read-certificate.ts'

const url = 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json'
const read = (text: string, limits = certificateLimits) => readCertificate(Buffer.from(text), limits)

const refused = (
  text: string | Buffer,
  expected: { reason: RegExp; pointer?: string; tooLarge?: boolean },
) => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  assert.throws(
    () =>
      readCertificate(bytes, {
        ...certificateLimits,
        maxBytes: 10_000,
        maxValues: 100,
        maxKeysPerObject: 20,
      }),
    (error: unknown) => {
      assert.ok(error instanceof CertificateUnreadable)
      assert.match(error.reason, expected.reason)
      assert.equal(error.pointer, expected.pointer ?? '')
      assert.equal(error.tooLarge, expected.tooLarge ?? false)
      return true
    },
  )
}

/** The value written again, with other white space and other orders of keys. */
const rewrite = (value: JsonValue, random: () => number): string => {
  const space = () => [' ', '', '\n', '\t', '  \r\n'][Math.floor(random() * 5)] ?? ''
  if (Array.isArray(value))
    return `[${space()}${value.map((one) => rewrite(one, random)).join(`${space()},${space()}`)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
  const shuffled = entries
    .map((entry) => ({ entry, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ entry: [key, inner] }) => `${JSON.stringify(key)}${space()}:${space()}${rewrite(inner, random)}`)
  return `{${space()}${shuffled.join(`${space()},${space()}`)}${space()}}`
}

const exactNumber = fc.oneof(
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => Number(value.toPrecision(12)))
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value)),
)
const content = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'grapheme' }),
    exactNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value
const storable = content.filter((value) => !JSON.stringify(value).includes('\\u0000'))

describe('reading a certificate', () => {
  test('keeps the bytes as they came and knows its schema', () => {
    const text = ` {"RefSchemaUrl" : "${url}", "a": 1.10} `
    const certificate = read(text)
    assert.equal(Buffer.from(certificate.bytes).toString(), text)
    assert.equal(certificate.refSchemaUrl, url)
    assert.equal(certificate.canonical, `{"RefSchemaUrl":"${url}","a":1.1}`)
    assert.match(certificate.hash, /^[0-9a-f]{64}$/)
  })

  test('gives the same hash for any white space and any order of keys', () => {
    fc.assert(
      fc.property(
        storable,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (value, stream) => {
          const random = () => stream.next().value ?? 0
          const json: JsonValue = { RefSchemaUrl: url, value }
          assert.equal(read(rewrite(json, random)).hash, read(JSON.stringify(json)).hash)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('gives another hash for any other content', () => {
    fc.assert(
      fc.property(storable, storable, (left, right) => {
        // Through JSON, because -0 and 0 are one number there.
        const [a, b] = [left, right].map((value) => JSON.stringify({ RefSchemaUrl: url, value }))
        const isSame = isDeepStrictEqual(JSON.parse(a ?? ''), JSON.parse(b ?? ''))
        assert.equal(read(a ?? '').hash === read(b ?? '').hash, isSame)
      }),
      { numRuns: 300 },
    )
  })

  test('changes its hash with every single character of a text, a number or a name', () => {
    const base = { RefSchemaUrl: url, a: { b: ['1.10', 1.1, true, null, { c: 'x' }] } }
    const variants = [
      { ...base, a: { b: ['1.1', 1.1, true, null, { c: 'x' }] } },
      { ...base, a: { b: ['1.10', 1.2, true, null, { c: 'x' }] } },
      { ...base, a: { b: ['1.10', '1.1', true, null, { c: 'x' }] } },
      { ...base, a: { b: ['1.10', 1.1, 'true', null, { c: 'x' }] } },
      { ...base, a: { b: ['1.10', 1.1, true, {}, { c: 'x' }] } },
      { ...base, a: { b: ['1.10', 1.1, true, null, { c: 'X' }] } },
      { ...base, a: { b: ['1.10', 1.1, true, null, { d: 'x' }] } },
      { ...base, a: { b: [1.1, '1.10', true, null, { c: 'x' }] } },
      { ...base, a: { B: ['1.10', 1.1, true, null, { c: 'x' }] } },
    ]
    const hashes = [base, ...variants].map((variant) => read(JSON.stringify(variant)).hash)
    assert.equal(new Set(hashes).size, hashes.length)
  })

  test('refuses, with the place, what two readers could read in two ways', () => {
    refused(`{"RefSchemaUrl":"${url}","a":{"b":1,"b":2}}`, { reason: /Duplicate key/, pointer: '/a' })
    refused(`{"RefSchemaUrl":"${url}","a":12345678901234567890}`, { reason: /held exactly/, pointer: '/a' })
    refused(`{"RefSchemaUrl":"${url}","a":[1e400]}`, { reason: /held exactly/, pointer: '/a/0' })
    refused(`{"RefSchemaUrl":"${url}","a":"\\ud800"}`, { reason: /surrogate/, pointer: '/a' })
    refused(`{"RefSchemaUrl":"${url}","a":"\\u0000"}`, { reason: /U\+0000/, pointer: '/a' })
    refused(`{"RefSchemaUrl":"${url}","__proto__":{}}`, { reason: /__proto__/, pointer: '/__proto__' })
    refused(Buffer.from([0x7b, 0xff, 0x7d]), { reason: /UTF-8/ })
    refused('', { reason: /empty/ })
    refused('[]', { reason: /JSON object/ })
  })

  test('refuses a certificate that names no schema', () => {
    for (const text of [
      '{}',
      '{"RefSchemaUrl":7}',
      '{"RefSchemaUrl":""}',
      `{"RefSchemaUrl":"${'x'.repeat(3_000)}"}`,
    ]) {
      refused(text, { reason: /URL of a schema/, pointer: '/RefSchemaUrl' })
    }
  })

  test('refuses what is too large, in bytes, values, keys or depth, and says so', () => {
    const within = (value: string) => `{"RefSchemaUrl":"${url}","a":${value}}`
    refused(within(`"${'x'.repeat(10_000)}"`), { reason: /more than 10000 bytes/, tooLarge: true })
    refused(within(`[${'0,'.repeat(200)}0]`), { reason: /more than 100 values/, tooLarge: true })
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 0]))
    refused(within(JSON.stringify(many)), { reason: /more than 20 keys/, tooLarge: true })
    refused(within(`{"${'k'.repeat(300)}":0}`), { reason: /longer than 256/, tooLarge: true })
    assert.throws(() => read(within('['.repeat(80) + ']'.repeat(80))), /Deeper than 64/)
  })
})
