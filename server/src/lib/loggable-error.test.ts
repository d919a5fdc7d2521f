import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggableError } from './loggable-error.ts'

test('a logged error has its message and causes, but no data that a library attached', () => {
  const cause = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(a@example.com)',
  })
  const logged = loggableError(new Error('could not save', { cause }))
  assert.equal(logged.message, 'could not save')
  assert.equal(logged.cause?.code, '23505')
  assert.ok(!JSON.stringify(logged).includes('example.com'))
  assert.deepEqual(loggableError({ password: 'hunter2' }), { type: 'object', message: 'not an error' })
})
