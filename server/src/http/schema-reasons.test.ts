import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { schemaReasons } from './schema-reasons.ts'

const cases: readonly (readonly [code: string, schema: object, value: unknown])[] = [
  ['must_have_type', { type: 'string' }, 5],
  ['must_have_type', { type: ['string', 'null'] }, 5],
  ['must_be_constant', { const: 5 }, 6],
  ['must_have_format', { type: 'string', format: 'uuid' }, 'x'],
  ['must_match_pattern', { type: 'string', pattern: '^a$' }, 'x'],
  ['has_too_few_characters', { type: 'string', minLength: 1 }, ''],
  ['has_too_many_characters', { type: 'string', maxLength: 2 }, 'xxx'],
  ['has_too_few_items', { type: 'array', minItems: 1 }, []],
  ['has_too_many_items', { type: 'array', maxItems: 1 }, [1, 2]],
  ['has_too_few_properties', { type: 'object', minProperties: 1 }, {}],
  ['has_too_many_properties', { type: 'object', maxProperties: 1 }, { a: 1, b: 2 }],
  ['is_out_of_range', { type: 'number', minimum: 0.5 }, 0],
  ['is_out_of_range', { type: 'number', maximum: 5 }, 6],
  ['is_out_of_range', { type: 'number', exclusiveMinimum: 5 }, 5],
  ['is_out_of_range', { type: 'number', exclusiveMaximum: 1e21 }, 1e22],
  ['must_be_multiple', { type: 'number', multipleOf: 5 }, 6],
  ['has_item_twice', { type: 'array', uniqueItems: true }, [1, 2, 1]],
  ['has_unknown_property', { type: 'object', additionalProperties: false }, { a: 1 }],
  ['breaks_schema', { not: {} }, 5],
]

describe('the reasons of what does not conform to a schema', () => {
  for (const [code, schema, value] of cases)
    test(`have a code and the words of ajv: ${JSON.stringify(schema)}`, () => {
      const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
      addFormats.default(ajv)
      ajv.validate(schema, value)
      const violations = ajv.errors ?? []
      const found = schemaReasons(violations, 'body')
      assert.deepEqual(
        found.map((reason) => [reason.code, inEnglish(reason)]),
        violations.map(({ message }) => [code, `body ${message}`]),
      )
    })

  test('name what is missing and what is allowed', () => {
    const ajv = new Ajv({ allErrors: true, strictTypes: false })
    ajv.validate({ required: ['name'], properties: { mode: { enum: ['test', 'live'] } } }, { mode: 'x' })
    assert.deepEqual(schemaReasons(ajv.errors ?? [], 'querystring').map(inEnglish), [
      'query/name is required',
      'query/mode must be one of: test, live',
    ])
  })
})
