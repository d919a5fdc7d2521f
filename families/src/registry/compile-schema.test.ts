import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { compileSchema } from './compile-schema.ts'
import { lintSchema } from './lint-schema.ts'
import { ValidationTooExpensive } from './meter.ts'

const $schema = 'https://json-schema.org/draft/2020-12/schema'

const compile = (schema: JsonObject) => {
  assert.deepEqual(lintSchema({ $schema, ...schema }), [])
  return compileSchema({ $schema, ...schema })
}

/** Each level is tried twice by the level above: 2^depth paths through a schema of a few lines. */
const ladder = (depth: number): JsonObject => {
  const $defs: { [key: string]: JsonValue } = { s0: { type: 'string', minLength: 3 } }
  for (let level = 1; level <= depth; level += 1) {
    const below = { properties: { a: { $ref: `#/$defs/s${level - 1}` } } }
    $defs[`s${level}`] = { anyOf: [below, below] }
  }
  return { $defs, $ref: `#/$defs/s${depth}` }
}
const nested = (depth: number, value: JsonValue): JsonValue =>
  depth === 0 ? value : { a: nested(depth - 1, value) }

describe('a compiled schema', () => {
  test('stops at the same step of exponential alternatives each time', () => {
    const check = compile(ladder(30))
    for (const _ of [1, 2]) {
      assert.throws(() => check(nested(30, 'x')), ValidationTooExpensive)
    }
  })

  test('matches patterns in linear time that take other engines years', () => {
    const check = compile({ properties: { a: { type: 'string', pattern: '^(a+)+$' } } })
    assert.equal(check({ a: `${'a'.repeat(100_000)}!` }).length, 1)
    assert.deepEqual(check({ a: 'a'.repeat(100_000) }), [])
  })

  test('stops matching a large pattern against a large text', () => {
    const check = compile({ properties: { a: { pattern: '^(?:[a-y]{1,30}z){30}$' } } })
    assert.throws(() => check({ a: 'ab'.repeat(4_000_000) }), ValidationTooExpensive)
  })

  test('finds duplicates among many objects without comparing every pair', () => {
    const check = compile({ properties: { a: { type: 'array', uniqueItems: true } } })
    const items = Array.from({ length: 20_000 }, (_, index) => ({ id: index, same: { deep: [1, 2] } }))
    assert.deepEqual(check({ a: items }), [])
    assert.equal(check({ a: [...items, { same: { deep: [1, 2] }, id: 7 }] })[0]?.keyword, 'uniqueItems')
  })

  test('accepts duplicates if uniqueItems is false', () => {
    assert.deepEqual(compile({ items: {}, uniqueItems: false })([1, 1]), [])
  })

  test('reports every error of a small certificate, and one if there are too many', () => {
    const check = compile({ type: 'array', items: { type: 'string' } })
    assert.equal(check([1, 2, 'x', 3]).length, 3)
    assert.equal(check(Array.from({ length: 40_000 }, () => 1)).length, 1)
  })

  describe('of alternatives that all fail', () => {
    const statistics = {
      type: 'object',
      additionalProperties: false,
      properties: { Average: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/Text' }] } },
    }
    const check = compile({
      $defs: {
        Text: {
          type: 'object',
          properties: { Kind: { const: 'text' }, Value: { type: 'string' } },
          required: ['Kind', 'Value'],
        },
        Many: {
          type: 'object',
          properties: { Kind: { const: 'many' }, Values: { type: 'array' }, Statistics: statistics },
          required: ['Kind', 'Values'],
        },
        Either: { anyOf: [{ required: ['A'] }, { required: ['B'] }] },
      },
      properties: {
        Result: { oneOf: [{ $ref: '#/$defs/Text' }, { $ref: '#/$defs/Many' }, { type: 'null' }] },
        Named: { $ref: '#/$defs/Either' },
      },
    })
    const best = (json: JsonValue) =>
      check(json, 'best').map(
        ({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${Object.values(params).join()}`,
      )

    test('names the key that does not belong to the one that is meant', () => {
      const Result = { Kind: 'many', Values: [1], Statistics: { Mean: 3 } }
      assert.deepEqual(best({ Result }), ['/Result/Statistics additionalProperties Mean'])
      assert.ok(check({ Result }).length > 3)
    })

    test('does so inside others, at each place, and beside other errors', () => {
      const Statistics = { Average: { Kind: 'text', Value: 7 }, Mean: 3 }
      assert.deepEqual(best({ Named: {}, Result: { Kind: 'many', Values: 1, Statistics } }).toSorted(), [
        '/Named required A',
        '/Named required B',
        '/Result/Statistics additionalProperties Mean',
        '/Result/Statistics/Average/Value type string',
        '/Result/Values type array',
      ])
    })

    test('names all of them if none fits better', () => {
      assert.deepEqual(best({ Result: 7 }), [
        '/Result type object',
        '/Result type object',
        '/Result type null',
      ])
    })
  })

  test('checks dates by the calendar, and rejects overlong texts before checking their format', () => {
    const check = compile({ properties: { d: { format: 'date' }, m: { format: 'email' } } })
    assert.equal(check({ d: '2025-02-29' }).length, 1)
    assert.deepEqual(check({ d: '2024-02-29', m: 'a@example.org' }), [])
    assert.equal(check({ m: `${'a'.repeat(5_000)}@example.org` }).length, 1)
  })

  test('supports the keywords of each draft', () => {
    const unevaluated = { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }
    assert.equal(compile(unevaluated)({ b: 1 }).length, 1)
    assert.equal(
      compile({ ...unevaluated, $schema: 'https://json-schema.org/draft/2019-09/schema' })({ b: 1 }).length,
      1,
    )
    const tuple = { prefixItems: [{ type: 'string' }] }
    assert.equal(compile(tuple)([1]).length, 1)
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }
    assert.equal(compile(draft7)([1]).length, 1)
  })
})
