import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical.ts'
import { JsonError, readJson } from './read.ts'
import { readStorableJson } from './read-storable.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readJson(bytes(text), { maxDepth: 64 })
const assertRejected = (text: string, reason: RegExp) =>
  assert.throws(
    () => read(text),
    (error) => error instanceof JsonError && reason.test(error.message),
  )

describe('reading JSON strictly', () => {
  test('reads the output of JSON.stringify as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!hasUnsafeInteger(text))
        assert.equal(JSON.stringify(read(text)), JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('says the line and the column of what it rejects, as editors count them', () => {
    for (const [text, place] of [
      ['{"A":01}', / at line 1, column 7$/],
      ['{\n  "A": 1,\n}', / at line 3, column 1$/],
      ['{\r\n "A": 1,\r\n "B" 2}', / at line 3, column 6 \(\/B\)$/],
      ['{"A": "🏭", B', / at line 1, column 12$/],
      ['{\n"A', / at line 2, column 3$/],
    ] as const)
      assertRejected(text, place)
    const invalid = Buffer.concat([bytes('{\n "A": "ä'), Buffer.of(0xff), bytes('"}')])
    assert.throws(() => readJson(invalid, { maxDepth: 64 }), /UTF-8 at line 2, column 9$/)
  })

  test('reads long strings like short ones, with quotes, escapes and surrogates at any position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 60, maxLength: 400 }), (text) => {
        fc.pre(text.isWellFormed())
        assert.equal(read(JSON.stringify(text)), text)
        assert.deepEqual(read(JSON.stringify([text, 1, text])), [text, 1, text])
      }),
    )
    assertRejected(`"${'x'.repeat(100)}\n"`, /Control character/)
    assertRejected(`"${'x'.repeat(100)}`, /Unfinished string/)
    assertRejected(`"${'x'.repeat(100)}\\q"`, /Unknown escape/)
  })

  test('can return numbers as their original text, after the same checks', () => {
    const shown = (text: string) => readStorableJson(bytes(text), { maxDepth: 64, numbersAsText: true })
    assert.deepEqual(shown('{"a":[1.10,-0,1E+3,2.0,"1.10",true,null]}'), {
      a: ['1.10', '-0', '1E+3', '2.0', '1.10', true, null],
    })
    assert.throws(() => shown('[12345678901234567890]'), JsonError)
  })

  test('rejects everything that JSON.parse rejects', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn\\u \n'), maxLength: 24 }),
        (text) => {
          let parsed: unknown
          try {
            parsed = JSON.parse(text)
          } catch {
            assert.throws(() => read(text), JsonError)
            return
          }
          try {
            assert.equal(JSON.stringify(read(text)), JSON.stringify(parsed))
          } catch (error) {
            assert.match(String(error), /Duplicate key|cannot be held exactly|Lone surrogate/)
          }
        },
      ),
      { numRuns: 20_000 },
    )
  })

  test('names the unexpected token', () => {
    assertRejected('{a:1}', /Expected a key/)
    assertRejected("{'a':1}", /Expected a key/)
    assertRejected('{"a":1,}', /Expected a key/)
    assertRejected('{"a" 1}', /Expected ":"/)
    assertRejected('{"a"=1}', /Expected ":"/)
    assertRejected('{"a":1 "b":2}', /Expected "," or "}"/)
    assertRejected('[1 2]', /Expected "," or "]"/)
    assertRejected('[1;2]', /Expected "," or "]"/)
    assertRejected('"\\u00zz"', /Malformed/)
    assertRejected('"\\u12"', /Malformed/)
    assertRejected('"\t"', /Control character/)
    assertRejected('"a', /Unfinished string/)
  })

  test('rejects duplicate keys at any depth, also if one is escaped', () => {
    assertRejected('{"a":1,"a":2}', /Duplicate key "a"/)
    assertRejected('[{"x":{"a":1,"\\u0061":2}}]', /Duplicate key "a".*\/0\/x/)
    assertRejected('{"__proto__":1,"__proto__":2}', /Duplicate key/)
  })

  test('limits the depth before the stack overflows', () => {
    assert.ok(read('['.repeat(64) + ']'.repeat(64)))
    assertRejected('['.repeat(65) + ']'.repeat(65), /Deeper than 64/)
    assertRejected('{"a":'.repeat(100_000), /Deeper than 64/)
  })

  test('rejects numbers that a double would change, but accepts all literals of an exact number', () => {
    for (const good of [
      '1.10',
      '11e-1',
      '-0',
      '9007199254740991',
      '0.1',
      '1e15',
      '5e-324',
      '1.7976931348623157e308',
      '0.30000000000000004',
      '0.0',
      '0e5',
      '0e400',
      '-0.0E-7',
      '10e-301',
      '1E-310',
      '1.50e-310',
      '0.00000000000000000000',
      '100e-2',
      '0.00000000000000000012',
      '12e18',
    ])
      read(good)
    for (const bad of [
      '12345678901234567890',
      '9007199254740993',
      // Two literals round to it, and the double does not tell which one it was.
      '9007199254740992',
      '1e400',
      '-1e400',
      '0.1234567890123456789',
      '1.00000000000000000001',
      '1e-400',
      '123e-326',
      '3e-324',
      '0.01e-322',
      '9007199254740993.0',
      '9007199254740993e0',
      '123456789012345678e1',
    ])
      assertRejected(bad, /cannot be held exactly/)
  })

  test('reads a key named __proto__ as data, and rejects it for storable JSON', () => {
    const value = read('{"__proto__":{"polluted":true}}')
    assert.deepEqual(Object.keys(value as object), ['__proto__'])
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    const kept = { value: 1, enumerable: true, configurable: true, writable: true }
    assert.deepEqual(Object.getOwnPropertyDescriptor(read('{"__proto__":1}'), '__proto__'), kept)
    assert.throws(() => readStorableJson(bytes('{"__proto__":{}}'), { maxDepth: 8 }), /__proto__/)
    assert.throws(() => readStorableJson(bytes('{"a":"\\u0000"}'), { maxDepth: 8 }), /U\+0000.*\/a/)
  })

  test('rejects invalid UTF-8, lone surrogates and trailing text, but accepts a byte order mark', () => {
    assert.throws(() => readJson(Uint8Array.of(0x22, 0xff, 0x22), { maxDepth: 8 }), /UTF-8/)
    assertRejected('"\\ud800"', /Lone surrogate/)
    assertRejected('{} x', /after the end/)
    assertRejected('', /empty/)
    assert.deepEqual(readJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), { maxDepth: 8 }), {})
  })
})

describe('canonical JSON', () => {
  test('matches the vector of RFC 8785 §3.2.4', () => {
    const text = String.raw`{"numbers":[333333333.33333329,1E15,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    const value = JSON.parse(text)
    assert.equal(
      canonicalJson(value),
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1000000000000000,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('rejects values that JSON cannot represent', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }])
      assert.throws(() => canonicalJson(value), TypeError)
    assert.equal(canonicalJson(-0), '0')
  })

  test('orders keys by UTF-16 code units', () => {
    const value = read(
      String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7,"10":8,"9":9}`,
    )
    assert.deepEqual(
      [...canonicalJson(value).matchAll(/:(\d)/g)].map(([, n]) => Number(n)),
      [2, 4, 8, 9, 6, 7, 1, 5, 3],
    )
  })

  test('does not depend on order and white space, and differs for different values', () => {
    const value = fc
      .jsonValue({ maxDepth: 4 })
      .map((v) => JSON.stringify(v))
      .filter((text) => !hasUnsafeInteger(text))
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [x, y] = [canonicalJson(JSON.parse(a)), canonicalJson(JSON.parse(b))]
        assert.equal(canonicalJson(read(x)), x)
        assert.equal(x === y, same(JSON.parse(a), JSON.parse(b)))
      }),
      { numRuns: 2_000 },
    )
    assert.equal(canonicalJson(read(' { "b" : 1.0 , "a" : [ ] } ')), '{"a":[],"b":1}')
    assert.notEqual(canonicalJson(read('{"__proto__":1}')), canonicalJson(read('{}')))
  })
})

const hasUnsafeInteger = (text: string): boolean => /\d{16}/.test(text)

const same = (a: unknown, b: unknown): boolean => {
  try {
    assert.deepEqual(a, b)
    return true
  } catch {
    return false
  }
}
