import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { noLabels } from '../labels/labels.ts'
import { createEntry } from './create-entry.ts'

const revisionOf = (schema: JsonObject): string =>
  createEntry({
    type: 'valve-schemas',
    version: '1.2.0',
    urls: ['https://example.org/valve-schemas/v1.2.0/schema.json'],
    origin: 'pack',
    schema,
    labels: noLabels,
  }).revision

test('the revision of a schema tells what it says, not how it is written', () => {
  const mean = { type: 'object', properties: { Mean: { type: 'number' } } }
  const average = { type: 'object', properties: { Average: { type: 'number' } } }
  assert.match(revisionOf(mean), /^[0-9a-f]{64}$/)
  assert.equal(revisionOf({ properties: mean.properties, type: 'object' }), revisionOf(mean))
  assert.notEqual(revisionOf(average), revisionOf(mean))
})
