import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sortedJson } from './sorted-json.ts'

/** The procedure our documentation recommends to receivers. */
const sortAgain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortAgain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sortAgain((value as Record<string, unknown>)[key])]),
  )
}

test('parsing, sorting at every level and writing again gives the same text', () => {
  const awkward = { b: [{ z: 1, a: 2 }], 10: 'x', 9: 'y', ä: 'é', a: { B: 1, a: 1.5e300 }, '01': -0 }
  assert.equal(JSON.stringify(sortAgain(JSON.parse(sortedJson(awkward)))), sortedJson(awkward))
  assert.equal(
    sortedJson(awkward),
    '{"9":"y","10":"x","01":0,"a":{"B":1,"a":1.5e+300},"b":[{"a":2,"z":1}],"ä":"é"}',
  )
  const keys = fc.oneof(fc.string(), fc.nat().map(String), fc.constantFrom('4294967294', '4294967295', '00'))
  const values = fc
    .object({ key: keys, maxDepth: 4 })
    .filter((value) => !JSON.stringify(value).includes('__proto__'))
  fc.assert(
    fc.property(values, (value) => {
      const text = sortedJson(value)
      assert.equal(JSON.stringify(sortAgain(JSON.parse(text))), text)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 2_000 },
  )
})

test('a member called __proto__ is kept', () => {
  assert.equal(
    sortedJson(JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}')),
    '{"__proto__":{"x":2,"y":1},"b":1}',
  )
})

test('omits undefined and writes dates like JSON.stringify()', () => {
  assert.equal(sortedJson({ b: undefined, a: new Date(0) }), '{"a":"1970-01-01T00:00:00.000Z"}')
})
