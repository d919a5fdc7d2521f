import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../contract/src/index.ts'
import { families } from '../../families/src/index.ts'

test('the contract names the schemas of every certificate family', () => {
  const schema: { properties?: object } = operations.listCertificateSchemas.answer.schema
  const named = Object.keys(schema.properties ?? {})
  const missing = families.map(({ name }) => `${name}-schemas`).filter((type) => !named.includes(type))
  assert.deepEqual(missing, [], 'add them to contract/src/shapes/certificates.ts')
})
