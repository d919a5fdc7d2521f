import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { inEnglish } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import { certificateLimits } from './limits.ts'
import { CertificateUnreadable, readCertificate } from './read-certificate.ts'

const url = 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json'
const read = (text: string, limits = certificateLimits) => readCertificate(Buffer.from(text), limits)

const rejects = (
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
      assert.match(inEnglish(error.reason), expected.reason)
      assert.equal(error.pointer, expected.pointer ?? '')
      assert.equal(error.tooLarge, expected.tooLarge ?? false)
      return true
    },
  )
}

/** Writes the value with random white space and a random order of keys. */
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

describe('readCertificate', () => {
  test('keeps the bytes as received and reads the name of the schema', () => {
    const text = ` {"RefSchemaUrl" : "${url}", "a": 1.10} `
    const certificate = read(text)
    assert.equal(Buffer.from(certificate.bytes).toString(), text)
    assert.equal(certificate.refSchemaUrl, url)
    assert.equal(certificate.canonical, `{"RefSchemaUrl":"${url}","a":1.1}`)
    assert.match(certificate.hash, /^[0-9a-f]{64}$/)
  })

  test('computes the same hash for any white space and any order of keys', () => {
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

  test('computes a different hash for different content', () => {
    fc.assert(
      fc.property(storable, storable, (left, right) => {
        // Compared as JSON, in which -0 and 0 are the same number.
        const [a, b] = [left, right].map((value) => JSON.stringify({ RefSchemaUrl: url, value }))
        const isSame = isDeepStrictEqual(JSON.parse(a ?? ''), JSON.parse(b ?? ''))
        assert.equal(read(a ?? '').hash === read(b ?? '').hash, isSame)
      }),
      { numRuns: 300 },
    )
  })

  test('computes a different hash if one character of a text, a number or a key changes', () => {
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

  test('rejects JSON that two parsers could read differently, and names the place', () => {
    rejects(`{"RefSchemaUrl":"${url}","a":{"b":1,"b":2}}`, { reason: /Duplicate key/, pointer: '/a' })
    rejects(`{"RefSchemaUrl":"${url}","a":12345678901234567890}`, { reason: /held exactly/, pointer: '/a' })
    rejects(`{"RefSchemaUrl":"${url}","a":[1e400]}`, { reason: /held exactly/, pointer: '/a/0' })
    rejects(`{"RefSchemaUrl":"${url}","a":"\\ud800"}`, { reason: /surrogate/, pointer: '/a' })
    rejects(`{"RefSchemaUrl":"${url}","a":"\\u0000"}`, { reason: /U\+0000/, pointer: '/a' })
    rejects(`{"RefSchemaUrl":"${url}","__proto__":{}}`, { reason: /__proto__/, pointer: '/__proto__' })
    rejects(Buffer.from([0x7b, 0xff, 0x7d]), { reason: /UTF-8/ })
    rejects('', { reason: /empty/ })
    rejects('[]', { reason: /JSON object/ })
  })

  test('rejects a certificate that does not name a schema', () => {
    for (const text of [
      '{}',
      '{"RefSchemaUrl":7}',
      '{"RefSchemaUrl":""}',
      `{"RefSchemaUrl":"${'x'.repeat(3_000)}"}`,
    ]) {
      rejects(text, { reason: /URL of a schema/, pointer: '/RefSchemaUrl' })
    }
  })

  test('rejects too many bytes, values, keys or levels, and gives the limit', () => {
    const within = (value: string) => `{"RefSchemaUrl":"${url}","a":${value}}`
    rejects(within(`"${'x'.repeat(10_000)}"`), {
      reason: /too large: \d+ bytes \(maximum 10000\)/,
      tooLarge: true,
    })
    rejects(within(`[${'0,'.repeat(200)}0]`), { reason: /more than 100 values/, tooLarge: true })
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 0]))
    rejects(within(JSON.stringify(many)), { reason: /more than 20 keys/, tooLarge: true })
    rejects(within(`{"${'k'.repeat(300)}":0}`), { reason: /longer than 256/, tooLarge: true })
    assert.throws(() => read(within('['.repeat(80) + ']'.repeat(80))), /Deeper than 64/)
  })
})
