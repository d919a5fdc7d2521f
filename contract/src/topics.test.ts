import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeCatalogue } from './scopes.ts'
import { type EventDeclaration, type EventVariant, events, topic } from './topics.ts'

const everyEvent: readonly EventDeclaration[] = events
const changes = ['create_one', 'update_one', 'delete_one']

const specified: Readonly<Record<EventVariant, Readonly<Record<string, readonly string[]>>>> = {
  current: {
    companies: ['update_one', 'delete_one'],
    applications: changes,
    wallets: changes,
    identities: ['create_one', 'update_one', 'revoke_one'],
    transactions: ['sign', 'send'],
    certificates: ['notarize_one', 'receive_one', 'withdraw_one', 'replace_one', 'revoke_many'],
    inbox: ['accept_one', 'reject_one', 'reopen_one', 'alarm_one'],
    hooks: changes,
    mail_hooks: changes,
  },
  earlier: {
    companies: ['update_one'],
    access_token: ['create_one', 'update_one'],
    wallets: changes,
    identities: ['create_one', 'notarize_one'],
    transactions: ['sign', 'send'],
    certificates: ['notarize_one', 'receive_one'],
    hooks: changes,
    mail_hooks: changes,
  },
}

const variants: readonly EventVariant[] = ['current', 'earlier']
for (const variant of variants)
  test(`the ${variant} variant has the events of the specification`, () => {
    const declared = everyEvent
      .filter((event) => event.variants.includes(variant))
      .map(({ resource, action }) => `${resource}/${action}`)
    const wanted = Object.entries(specified[variant]).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}/${action}`),
    )
    assert.deepEqual(declared.toSorted(), wanted.toSorted())
  })

test('every event has a scope', () => {
  for (const { scope } of everyEvent) {
    const actions: readonly string[] = scopeCatalogue[scope.resource]
    assert.ok(actions.includes(scope.action), `${scope.resource}:${scope.action}`)
  }
})

test('a topic consists of owner, mode, resource and action in this order', () => {
  assert.equal(
    topic({ owner: 'company', id: '42', mode: 'test', resource: 'certificates', action: 'notarize_one' }),
    'company/42/test/certificates/notarize_one',
  )
  assert.equal(
    topic({ owner: 'company', id: '42', mode: '+', resource: 'mail_hooks', action: 'update_one' }),
    'company/42/+/mail_hooks/update_one',
  )
})

test('the type of a topic rejects an action of another resource', () => {
  // @ts-expect-error wallets are never notarized
  topic({ owner: 'company', id: '42', mode: 'test', resource: 'wallets', action: 'notarize_one' })
})
