import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { events, machineScopes, modes, topic } from '@millseal/contract'
import fc from 'fast-check'
import { matchesTopic } from '../../lib/topic-filter.ts'
import {
  hasOlderWildcard,
  machineHears,
  mayHear,
  memberHears,
  maySubscribe,
  personHears,
  withMqttWildcard,
  withOlderWildcard,
} from './topic-rights.ts'

const own = '0198c0de-0000-7000-8000-00000000000a'
const other = '0198c0de-0000-7000-8000-00000000000b'
const company = (mode: 'test' | 'live', ...scopes: string[]) => ({
  owner: { kind: 'company', id: own } as const,
  hears: machineHears({ companyId: own, mode, scopes: new Set(scopes) }),
})
const person = { owner: { kind: 'user', id: own } as const, hears: personHears(own) }
const notarized = company('test', 'certificates:notarize_one')
const under = (rest: string, id = own): string => `company/${id}/${rest}`

/** All topics that can be published, for two companies and two users. */
const universe = [own, other].flatMap((id) =>
  modes.flatMap((mode) =>
    events.flatMap(({ owners, resource, action }) =>
      owners.map((owner) => topic({ owner, id, mode, resource, action } as Parameters<typeof topic>[0])),
    ),
  ),
)

describe('a person', () => {
  test('may hear all of their own events and no others', () => {
    for (const heard of universe)
      assert.equal(mayHear(person, heard), heard.startsWith(`user/${own}/`), heard)
    assert.equal(maySubscribe(person, `user/${own}/#`), true)
    assert.equal(maySubscribe(person, `user/${other}/#`), false)
    assert.equal(maySubscribe(person, `user/${own}/#/x`), false)
  })
})

describe('a member of a company', () => {
  test('may hear all of its events, in the modes that are open to them, and no others', () => {
    for (const heard of [[], ['test'], ['test', 'live']] as const) {
      const hears = memberHears(own, heard)
      for (const published of universe)
        assert.equal(
          mayHear({ hears }, published),
          heard.some((mode) => published.startsWith(under(`${mode}/`))),
          published,
        )
    }
  })
})

describe('a company', () => {
  const granted = [
    'test/certificates/notarize_one',
    '+/certificates/notarize_one',
    '*/certificates/notarize_one',
  ]
  for (const filter of granted) {
    test(`may subscribe to ${filter} with the scope for it`, () =>
      assert.ok(maySubscribe(notarized, under(filter))))
  }

  const refused = [
    under('live/certificates/notarize_one'),
    under('+/certificates/receive_one'),
    under('test/certificates/+'),
    under('test/+/notarize_one'),
    under('+/+/+'),
    under('#'),
    under('+/#'),
    under('test/certificates/#'),
    under('test/certificates/notarize_one/more'),
    under('test/certificates'),
    under('**/certificates/notarize_one'),
    under('test/certificates/*'),
    under('*/*/*'),
    under('../company/x/certificates/notarize_one'),
    under('+/certificates/notarize_one', other),
    under('+/certificates/notarize_one', '+'),
    `company/${own}`,
    `/company/${own}/+/certificates/notarize_one`,
    `Company/${own}/+/certificates/notarize_one`,
    `user/${own}/#`,
    `$share/group/${under('+/certificates/notarize_one')}`,
    '#',
    '+/+/+/+/+',
    '$SYS/#',
    '',
    '/',
    under('+/certificates/notarize_one\u0000'),
    under('te+st/certificates/notarize_one'),
    under('#/certificates/notarize_one'),
  ]
  for (const filter of refused) {
    test(`may not subscribe to ${JSON.stringify(filter.replaceAll(own, '…'))}`, () =>
      assert.equal(maySubscribe(notarized, filter), false))
  }

  test('may subscribe to a wildcard if every event it matches is in scope', () => {
    const both = company('live', 'certificates:notarize_one', 'certificates:receive_one')
    assert.ok(maySubscribe(both, under('+/certificates/+')))
    assert.ok(maySubscribe(both, under('live/certificates/#')))
    assert.equal(maySubscribe(both, under('+/+/notarize_one')), false)
    assert.equal(maySubscribe(both, under('test/certificates/+')), false)
  })

  test('hears that a certificate is corrected if it hears that it is notarized or received', () => {
    const corrected = ['withdraw_one', 'replace_one', 'revoke_many'].map((action) =>
      under(`live/certificates/${action}`),
    )
    for (const scope of ['notarize_one', 'receive_one', 'withdraw_one', 'read_one']) {
      const rights = company('live', `certificates:${scope}`)
      const heard = corrected.filter((filter) => maySubscribe(rights, filter))
      const expected = { withdraw_one: 1, read_one: 0 }[scope] ?? 3
      assert.equal(heard.length, expected, scope)
    }
  })

  test('may subscribe to nothing without a scope', () => {
    assert.equal(maySubscribe(company('test'), under('+/certificates/notarize_one')), false)
  })

  test('may subscribe to events by the names of topics, with scopes by their own names', () => {
    const hooks = company('test', 'mailhooks:create_one', 'wallets:update_one')
    assert.ok(maySubscribe(hooks, under('test/mail_hooks/create_one')))
    assert.ok(maySubscribe(hooks, under('test/wallets/update_one')))
    assert.equal(maySubscribe(hooks, under('test/mailhooks/create_one')), false)
  })
})

describe('a subscription of a person', () => {
  test('may contain everything under their own id, and nothing else', () => {
    for (const rest of ['#', '+/+/+', '*/companies/update_one', 'live/companies/#', 'whatever']) {
      assert.ok(maySubscribe(person, `user/${own}/${rest}`), rest)
    }
    for (const filter of [
      `user/${own}`,
      `user/${other}/#`,
      'user/+/#',
      '#',
      `company/${own}/#`,
      `user/${own}#`,
    ]) {
      assert.equal(maySubscribe(person, filter), false, filter)
    }
  })
})

test('no subscription receives events outside its scope: 30,000 random filters', () => {
  const pairs = Object.entries(machineScopes).flatMap(([resource, actions]) =>
    actions.map((action) => `${resource}:${action}`),
  )
  const telling = events.map(({ scope }) => `${scope.resource}:${scope.action}`)
  const scopesOf = fc.oneof(
    fc.subarray(pairs, { maxLength: 6 }),
    fc.subarray(telling.filter((pair) => pairs.includes(pair))),
  )
  const level = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('+', '*', '#', 'test', 'live') },
    {
      weight: 6,
      arbitrary: fc.constantFrom(...events.flatMap(({ resource, action }) => [resource, action])),
    },
    { weight: 3, arbitrary: fc.constantFrom('company', 'user', own, other, '', '..', '$SYS', '$share') },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  )
  const ours = universe.filter((each) => each.startsWith(`company/${own}/`))
  const tail = fc.array(level, { maxLength: 5 })
  const filter = fc.oneof(
    { weight: 8, arbitrary: tail.map((levels) => ['company', own, ...levels].join('/')) },
    { weight: 3, arbitrary: fc.array(level, { maxLength: 7 }).map((levels) => levels.join('/')) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...ours), fc.constantFrom(0, 1, 2, 2, 2, 3, 4), level)
        .map(([some, at, put]) => some.split('/').with(at, put).join('/')),
    },
  )
  let granted = 0
  fc.assert(
    fc.property(fc.constantFrom(...modes), scopesOf, filter, (mode, scopes, wanted) => {
      const rights = company(mode, ...scopes)
      if (!maySubscribe(rights, wanted)) return
      granted += 1
      const matched = universe.filter((each) => matchesTopic(withMqttWildcard(wanted), each))
      assert.ok(matched.length > 0)
      for (const each of matched) {
        const [kind, id, itsMode, resource, action] = each.split('/')
        assert.deepEqual([kind, id], ['company', own])
        const event = events.find((known) => known.resource === resource && known.action === action)
        const sufficient = event === undefined ? [] : [event.scope, ...event.otherScopes]
        assert.ok(
          sufficient.some((scope) => scopes.includes(`${scope.resource}:${scope.action}`)),
          each,
        )
        assert.equal(mayHear(rights, each), itsMode === mode)
      }
    }),
    { numRuns: 30_000, seed: 6 },
  )
  assert.ok(granted > 200, `only ${granted} filters were granted: the test proves nothing`)
})

test('the older wildcard * matches only the mode', () => {
  assert.ok(hasOlderWildcard(under('*/certificates/notarize_one')))
  assert.equal(hasOlderWildcard(under('test/*/notarize_one')), false)
  assert.equal(
    withOlderWildcard(under('test/certificates/notarize_one')),
    under('*/certificates/notarize_one'),
  )
})
