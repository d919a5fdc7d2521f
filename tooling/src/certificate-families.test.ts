import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../contract/src/index.ts'
import { families } from '../../families/src/index.ts'

test('the contract names the schemas of every certificate family', () => {
  const { properties } = operations.listCertificateSchemas.answer.schema as { properties?: object }
  const named = Object.keys(properties ?? {})
  const missing = families.map(({ name }) => `${name}-schemas`).filter((type) => !named.includes(type))
  assert.deepEqual(missing, [], 'add them to contract/src/shapes/certificate-checks.ts')
})
