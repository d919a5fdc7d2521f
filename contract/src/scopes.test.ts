import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from './operation.ts'
import { operations } from './operations/index.ts'
import { everyAction, machineScopes, scopeAliases, scopeCatalogue } from './scopes.ts'

const everyOperation: readonly Operation[] = Object.values(operations)
const machines = new Map<string, readonly string[]>(Object.entries(machineScopes))
const crud = ['read_one', 'read_many', 'create_one', 'update_one', 'delete_one']

/** The scopes that company tokens of the earlier variant can have, as its clients spell them. */
const earlierCompanyScopes: Readonly<Record<string, readonly string[]>> = {
  auth: ['read_one', 'create_one'],
  cointypes: ['read_one', 'read_many'],
  nodes: ['read_one', 'read_many'],
  wallet: crud,
  identities: [...crud, everyAction],
  transactions: ['read_many', 'read_one', 'create_one', 'partial_sign', 'sign', 'send'],
  companies: [...crud, 'validate_one', 'confirm', everyAction],
  certificates: [
    'read_one',
    'read_many',
    'create_one',
    'create_many',
    'update_one',
    'validate_one',
    'validate_many',
    'render_one',
    'render_many',
    'sign',
    'send',
    'notarize_one',
    'notarize_many',
  ],
  hooks: crud,
  events: ['read_many', 'read_one', 'send', 'retry_one'],
  mailhooks: [...crud, 'validate_one'],
  mails: ['read_many', 'read_one', 'send', 'retry_one'],
}

test('every scope that older clients request can be granted', () => {
  for (const [name, actions] of Object.entries(earlierCompanyScopes)) {
    const given = machines.get(scopeAliases[name] ?? name) ?? []
    for (const action of actions)
      assert.ok(action === everyAction || given.includes(action), `${name}:${action}`)
  }
})

test('every scope that an operation requires can be granted to an application', () => {
  for (const { id, access, scope = [] } of everyOperation) {
    if (access !== 'bearer') continue
    for (const { resource, action } of scope)
      assert.ok(machines.get(resource)?.includes(action), `${id}: ${resource}:${action}`)
  }
})

test('no application can get scopes for accounts, sessions and credentials', () => {
  const personal = Object.keys(scopeCatalogue).filter((resource) => !machines.has(resource))
  assert.deepEqual(personal.toSorted(), [
    'accesstoken',
    'applications',
    'applications_secrets',
    'packs',
    'sessions',
    'tokens',
    'user_onboarding',
    'users',
  ])
})

test('no application can call an operation for operators of the service', () => {
  for (const { id, access, admin } of everyOperation) assert.ok(admin !== true || access === 'user', id)
})

test('aliases map to the catalogue and are not in it', () => {
  for (const [alias, resource] of Object.entries(scopeAliases)) {
    assert.ok(Object.hasOwn(scopeCatalogue, resource), alias)
    assert.ok(!Object.hasOwn(scopeCatalogue, alias), alias)
  }
})
