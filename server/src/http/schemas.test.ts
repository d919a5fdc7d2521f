import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, operations } from '@millseal/contract'
import { fastify } from 'fastify'
import { schemasOf } from './schemas.ts'
import { serializerOf } from './serialization.ts'
import { compileFor } from './validation.ts'

// The server compiles a schema when the first request needs it, so a start does not show that all of them compile.
test('the schemas of every operation compile', async () => {
  for (const operation of Object.values<Operation>(operations)) {
    for (const [part, schema] of Object.entries<object>({ ...schemasOf(operation) })) {
      assert.equal(typeof compileFor(part, schema)({}), 'boolean', operation.id)
    }
  }
  const server = fastify()
  server.get('/', async (_request, reply) => {
    for (const operation of Object.values<Operation>(operations)) serializerOf(operation, reply)
    return 'compiled'
  })
  assert.equal((await server.inject('/')).body, 'compiled')
  await server.close()
})
