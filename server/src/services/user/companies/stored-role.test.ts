import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberRoles } from '@millseal/contract'
import { readRole, storedRole } from './stored-role.ts'

const knownBefore = ['admin', 'operator', 'read_only']

test('every role is read as it was stored', () => {
  for (const role of memberRoles) assert.equal(readRole(storedRole(role)), role)
})

test('a process of the release before sees a role that it knows, with no right that the member lacks', () => {
  for (const role of memberRoles)
    assert.equal(storedRole(role).role, knownBefore.includes(role) ? role : 'operator')
})

test('a role that such a process gave counts, whatever the member was before', () => {
  for (const role of ['admin', 'read_only'] as const) assert.equal(readRole({ role, duty: 'clerk' }), role)
})
