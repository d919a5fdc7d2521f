import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@millseal/contract'
import { openPlumbing } from '../../test/plumbing.ts'
import { bind } from './binding.ts'

test('an unexpected error is a 500 without details, whatever it says', async () => {
  const secret = 'Key (email)=(somebody@example.com) already exists'
  const cause = Object.assign(new Error(secret), { detail: secret, statusCode: 409, code: 'E_CANARY' })
  const fail = async () => Promise.reject(new TypeError(secret, { cause }))
  await using plumbing = await openPlumbing([bind(operations.registerUser, fail)])
  const response = await fetch(`${plumbing.url}/api/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'furnace', email: 'f@example.com', password: 'long enough 1' }),
  })
  assert.equal(response.status, 500)
  const text = await response.text()
  const { details } = JSON.parse(text) as { readonly details: unknown }
  assert.deepEqual(details, [])
  for (const hidden of ['somebody', 'exists', 'E_CANARY', 'TypeError', '.ts'])
    assert.ok(!`${text}${JSON.stringify([...response.headers])}`.includes(hidden), text)
})
