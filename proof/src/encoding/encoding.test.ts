import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './base64.ts'
import { decodeHex, encodeHex } from './hex.ts'

const codings = [
  { name: 'hex', encode: encodeHex, decode: decodeHex },
  { name: 'base64', encode: encodeBase64, decode: decodeBase64 },
  { name: 'base64url', encode: encodeBase64Url, decode: decodeBase64Url },
  { name: 'base58', encode: encodeBase58, decode: decodeBase58 },
]

describe('bytes as text', () => {
  for (const { name, encode, decode } of codings)
    test(`${name} decodes what it encodes`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
          assert.deepEqual([...decode(encode(bytes))], [...bytes])
        }),
      )
    })

  test('hex and base64 equal the output of Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const buffer = Buffer.from(bytes)
        assert.equal(encodeHex(bytes), buffer.toString('hex'))
        assert.equal(encodeBase64(bytes), buffer.toString('base64'))
        assert.equal(encodeBase64Url(bytes), buffer.toString('base64url'))
      }),
    )
  })

  test('base64 decodes exactly the texts that Node would write', () => {
    for (const { coding, decode } of [
      { coding: 'base64', decode: decodeBase64 },
      { coding: 'base64url', decode: decodeBase64Url },
    ] as const)
      fc.assert(
        fc.property(fc.string({ unit: fc.constantFrom(...'AQg/+-_=9z é'), maxLength: 12 }), (text) => {
          const bytes = Buffer.from(text, coding)
          if (bytes.toString(coding) === text) assert.deepEqual([...decode(text)], [...bytes])
          else assert.throws(() => decode(text), SyntaxError)
        }),
        { numRuns: 2_000 },
      )
  })

  test('base58 decodes the number that its digits are', () => {
    const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...digits), maxLength: 60 }), (text) => {
        const number = [...text].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n)
        const hex = number === 0n ? '' : number.toString(16)
        const leading = text.length - text.replace(/^1+/, '').length
        const expected = '00'.repeat(leading) + hex.padStart(Math.ceil(hex.length / 2) * 2, '0')
        assert.equal(encodeHex(decodeBase58(text)), expected)
      }),
    )
  })

  test('base58 matches the vectors of its draft, including leading zeros', () => {
    assert.equal(encodeBase58(Buffer.from('Hello World!')), '2NEpo7TZRRrLZSi2U')
    assert.equal(encodeBase58(Buffer.from('0000287fb4cd', 'hex')), '11233QC4')
    assert.equal(encodeBase58(new Uint8Array()), '')
    assert.deepEqual([...decodeBase58('111')], [0, 0, 0])
  })

  test('decoders reject encodings that are not canonical', () => {
    for (const text of ['QQ', 'QR==', 'QQ=', 'Q Q=', 'QQ==\n', 'QQ==='])
      assert.throws(() => decodeBase64(text), SyntaxError, text)
    for (const text of ['QR', 'QQ==', 'Q', 'a+b='])
      assert.throws(() => decodeBase64Url(text), SyntaxError, text)
    for (const text of ['0', 'O', 'I', 'l', ' ']) assert.throws(() => decodeBase58(text), SyntaxError, text)
    for (const text of ['a', 'zz', ' a']) assert.throws(() => decodeHex(text), SyntaxError, text)
  })

  test('base58 rejects texts that would take long to decode', () => {
    assert.throws(() => decodeBase58('z'.repeat(100_000)), RangeError)
  })
})
