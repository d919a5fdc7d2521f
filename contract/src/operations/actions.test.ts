import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf } from '../deduce.ts'
import type { Operation } from '../operation.ts'
import { operations } from './index.ts'

const everyOperation: readonly Operation[] = Object.values(operations)
const crud = ['read_one', 'read_many', 'create_one', 'update_one', 'delete_one']

/** The resources and actions of the specification, for both variants. */
const specified: Readonly<Record<string, readonly string[]>> = {
  users: [...crud, 'confirm', 'reset'],
  user_onboarding: ['read_one'],
  companies: [...crud, 'validate_one', 'confirm'],
  applications: crud,
  applications_secrets: ['rotate'],
  tokens: ['create_one'],
  cointypes: crud,
  nodes: crud,
  wallets: ['read_one', 'create_one', 'update_one', 'delete_one'],
  identities: ['read_one', 'read_many', 'create_one'],
  transactions: ['read_one', 'read_many', 'partial_sign', 'sign', 'send'],
  certificates: ['read_one', 'create_one', 'validate_one', 'render_one', 'notarize_one'],
  hooks: crud,
  events: ['read_one', 'read_many', 'update_one', 'retry_one'],
  mailhooks: crud,
  mails: ['read_one', 'read_many', 'update_one', 'retry_one'],
  auth: ['read_one', 'create_one', 'sign_in', 'sign_out', 'revoke'],
  sessions: ['read_one', 'read_many', 'delete_one', 'delete_all'],
  accesstoken: crud,
}

/** Accepted in scopes, but no operation needs them. */
const internal: Readonly<Record<string, string>> = {
  'events:update_one': 'the service records the outcome of a delivery',
  'mails:update_one': 'the service records the outcome of a delivery',
  'certificates:create_one': 'notarize_one creates certificates',
}

test('every action of the specification has an operation or a reason to be internal', () => {
  const reachable = new Set(
    everyOperation.flatMap((operation) =>
      actionsOf(operation).map(({ resource, action }) => `${resource}:${action}`),
    ),
  )
  const wanted = Object.entries(specified).flatMap(([resource, actions]) =>
    actions.map((action) => `${resource}:${action}`),
  )
  assert.deepEqual(
    wanted.filter((pair) => !reachable.has(pair)),
    wanted.filter((pair) => pair in internal),
  )
})
