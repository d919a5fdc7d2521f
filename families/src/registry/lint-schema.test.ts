import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { lintSchema } from './lint-schema.ts'

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const $id = 'https://example.org/x-schemas/v1.0.0/schema.json'

const rejections: readonly (readonly [what: string, schema: JsonObject, reason: RegExp])[] = [
  [
    'a $ref to the network',
    { properties: { a: { $ref: 'https://example.org/y.json' } } },
    /refers to "https/,
  ],
  ['a $ref to the metadata service of a cloud', { $ref: 'http://169.254.169.254/latest' }, /refers to "http/],
  ['a $ref to a file', { allOf: [{ $ref: 'file:///etc/passwd' }] }, /refers to "file/],
  ['a $ref relative to its address', { properties: { a: { $ref: 'other.json' } } }, /refers to "other/],
  [
    'a $ref to a place without a schema',
    { 'meta:x': { type: 'string' }, $ref: '#/meta:x' },
    /not part of this schema/,
  ],
  [
    'a $ref that leads to itself',
    { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    /refers to itself/,
  ],
  [
    'a $ref that leads to itself indirectly',
    { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
    /refers to itself/,
  ],
  ['a dynamic reference', { $defs: { a: { $dynamicRef: '#x' } } }, /uses \$dynamicRef/],
  [
    'a nested $id, which would change all references',
    { properties: { a: { $id: 'https://example.org/' } } },
    /must not have an \$id/,
  ],
  ['values taken from the data', { properties: { a: { minimum: { $data: '1/b' } } } }, /\$data/],
  ['asynchronous schemas', { $async: true }, /uses \$async/],
  ['look-around', { properties: { a: { pattern: '(?=a)b' } } }, /pattern that cannot be used/],
  ['back-references', { patternProperties: { '(a)\\1': {} } }, /pattern that cannot be used/],
  [
    'excessive repetition',
    { properties: { a: { pattern: '((a{0,100}){0,100}){0,100}' } } },
    /pattern that cannot be used/,
  ],
  ['a giant pattern', { properties: { a: { pattern: 'a'.repeat(1_001) } } }, /more than 1000 characters/],
  ['another dialect', { $schema: 'https://example.org/my-own' }, /\$schema must be/],
  ['an overlong enum', { enum: Array.from({ length: 5_001 }, (_, index) => index) }, /more than 5000 values/],
  ['too many schemas', { allOf: Array.from({ length: 20_001 }, () => ({})) }, /more than 20000 schemas/],
]

describe('lintSchema', () => {
  for (const [what, schema, reason] of rejections) {
    test(`rejects ${what}`, () => {
      const reasons = lintSchema({ $schema, $id, ...schema }).map(inEnglish)
      assert.ok(
        reasons.some((sentence) => reason.test(sentence)),
        reasons.join('\n') || 'nothing was rejected',
      )
    })
  }

  test('accepts recursion that descends into the certificate, and every supported draft', () => {
    const tree: JsonObject = {
      $id,
      $defs: { node: { properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
      $ref: '#/$defs/node',
    }
    for (const dialect of [
      $schema,
      'https://json-schema.org/draft/2019-09/schema',
      'http://json-schema.org/draft-07/schema#',
    ]) {
      assert.deepEqual(lintSchema({ ...tree, $schema: dialect }), [])
    }
  })

  test('does not mistake a field of the certificate for a schema keyword', () => {
    const properties = { $data: { type: 'string' }, $ref: { type: 'string' }, pattern: { type: 'string' } }
    assert.deepEqual(lintSchema({ $schema, $id, type: 'object', properties }), [])
  })
})
