import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical.ts'
import { JsonError, readJson } from './read.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readJson(bytes(text), { maxDepth: 64 })
const refused = (text: string, reason: RegExp) =>
  assert.throws(
    () => read(text),
    (error) => error instanceof JsonError && reason.test(error.message),
  )

describe('reading JSON strictly', () => {
  test('whatever JSON.stringify writes is read back as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!hasUnsafeInteger(text))
        assert.equal(JSON.stringify(read(text)), JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a long text is read as a short one is, wherever its quotes, escapes and surrogates stand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 60, maxLength: 400 }), (text) => {
        fc.pre(text.isWellFormed())
        assert.equal(read(JSON.stringify(text)), text)
        assert.deepEqual(read(JSON.stringify([text, 1, text])), [text, 1, text])
      }),
    )
    refused(`"${'x'.repeat(100)}\n"`, /Control character/)
    refused(`"${'x'.repeat(100)}`, /Unfinished string/)
    refused(`"${'x'.repeat(100)}\\q"`, /Unknown escape/)
  })

  test('numbers are given as they were written where they are to be shown, after the same checks', () => {
    const shown = (text: string) => readJson(bytes(text), { maxDepth: 64, numbersAsText: true })
    assert.deepEqual(shown('{"a":[1.10,-0,1E+3,2.0,"1.10",true,null]}'), {
      a: ['1.10', '-0', '1E+3', '2.0', '1.10', true, null],
    })
    assert.throws(() => shown('[12345678901234567890]'), JsonError)
  })

  test('whatever JSON.parse refuses is refused', () => {
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

  test('what stands where it must not is refused by its name', () => {
    refused('{a:1}', /Expected a key/)
    refused("{'a':1}", /Expected a key/)
    refused('{"a":1,}', /Expected a key/)
    refused('{"a" 1}', /Expected ":"/)
    refused('{"a"=1}', /Expected ":"/)
    refused('{"a":1 "b":2}', /Expected "," or "}"/)
    refused('[1 2]', /Expected "," or "]"/)
    refused('[1;2]', /Expected "," or "]"/)
    refused('"\\u00zz"', /Malformed/)
    refused('"\\u12"', /Malformed/)
    refused('"\t"', /Control character/)
    refused('"a', /Unfinished string/)
  })

  test('duplicate keys are refused at any depth, also when one is escaped', () => {
    refused('{"a":1,"a":2}', /Duplicate key "a"/)
    refused('[{"x":{"a":1,"\\u0061":2}}]', /Duplicate key "a".*\/0\/x/)
    refused('{"__proto__":1,"__proto__":2}', /Duplicate key/)
  })

  test('depth is bounded before the stack is', () => {
    assert.ok(read('['.repeat(64) + ']'.repeat(64)))
    refused('['.repeat(65) + ']'.repeat(65), /Deeper than 64/)
    refused('{"a":'.repeat(100_000), /Deeper than 64/)
  })

  test('numbers that a double would change are refused, and equal spellings of one number are not', () => {
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
      '0.00000000000000000000',
      '100e-2',
      '0.00000000000000000012',
      '12e18',
    ])
      read(good)
    for (const bad of [
      '12345678901234567890',
      '9007199254740993',
      // Two spellings round to it: whoever sees only the double cannot tell which was written.
      '9007199254740992',
      '1e400',
      '-1e400',
      '0.1234567890123456789',
      '1.00000000000000000001',
      '1e-400',
      '9007199254740993.0',
      '9007199254740993e0',
      '123456789012345678e1',
    ])
      refused(bad, /cannot be held exactly/)
  })

  test('a key named __proto__ is kept as data, and refused where data is stored', () => {
    const value = read('{"__proto__":{"polluted":true}}')
    assert.deepEqual(Object.keys(value as object), ['__proto__'])
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    const kept = { value: 1, enumerable: true, configurable: true, writable: true }
    assert.deepEqual(Object.getOwnPropertyDescriptor(read('{"__proto__":1}'), '__proto__'), kept)
    assert.throws(() => readJson(bytes('{"__proto__":{}}'), { maxDepth: 8, storable: true }), /__proto__/)
    assert.throws(() => readJson(bytes('{"a":"\\u0000"}'), { maxDepth: 8, storable: true }), /U\+0000.*\/a/)
  })

  test('invalid UTF-8, lone surrogates and trailing text are refused; a byte order mark is not', () => {
    assert.throws(() => readJson(Uint8Array.of(0x22, 0xff, 0x22), { maxDepth: 8 }), /UTF-8/)
    refused('"\\ud800"', /Lone surrogate/)
    refused('{} x', /after the end/)
    refused('', /empty/)
    assert.deepEqual(readJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), { maxDepth: 8 }), {})
  })
})

describe('canonical JSON', () => {
  test('the vector of RFC 8785 §3.2.4 comes out byte for byte', () => {
    const text = String.raw`{"numbers":[333333333.33333329,1E15,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    const value = JSON.parse(text)
    assert.equal(
      canonicalJson(value),
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1000000000000000,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('what JSON cannot hold has no canonical form', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }])
      assert.throws(() => canonicalJson(value), TypeError)
    assert.equal(canonicalJson(-0), '0')
  })

  test('keys are ordered by UTF-16 code units', () => {
    const value = read(
      String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7,"10":8,"9":9}`,
    )
    assert.deepEqual(
      [...canonicalJson(value).matchAll(/:(\d)/g)].map(([, n]) => Number(n)),
      [2, 4, 8, 9, 6, 7, 1, 5, 3],
    )
  })

  test('is injective and independent of order and space: one text for one value, another for any other', () => {
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
