import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TObject } from 'typebox'
import { limits } from '../limits.ts'
import { actionsOf, addresses, methodsOf, publicOperations } from '../deduce.ts'
import type { Operation } from '../operation.ts'
import { scopeCatalogue } from '../scopes.ts'
import { earlierOperations } from './earlier-variant.fixture.ts'
import { operations } from './index.ts'

const everyOperation: readonly Operation[] = Object.values(operations)
const served = everyOperation.flatMap((operation) =>
  methodsOf(operation).flatMap((method) =>
    addresses(operation).map((path) => ({ operation, method, path, call: `${method} ${path}` })),
  ),
)
const parameterNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
const propertyNames = (schema: TObject | undefined) => Object.keys(schema?.properties ?? {})
const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index)

test('every operation has a unique id', () => {
  assert.deepEqual(repeated(everyOperation.map(({ id }) => id)), [])
})

test('no two operations have the same method and address', () => {
  const calls = served.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  assert.deepEqual(repeated(calls), [])
})

test('paths of the same shape differ by a UUID', () => {
  const isUuid = ({ params }: Operation, name: string) => {
    const schema = params?.properties[name]
    return schema !== undefined && 'format' in schema && schema.format === 'uuid'
  }
  for (const one of served)
    for (const other of served) {
      const [left, right] = [one.path.split('/'), other.path.split('/')]
      if (one.call === other.call || one.method !== other.method || left.length !== right.length) continue
      const pairs = left.map((segment, index) => [segment, right[index] ?? ''] as const)
      const isParameter = (segment: string) => segment.startsWith('{')
      if (pairs.some(([a, b]) => a !== b && !isParameter(a) && !isParameter(b))) continue
      const told = pairs.some(
        ([a, b]) =>
          (isParameter(a) && !isParameter(b) && isUuid(one.operation, a.slice(1, -1))) ||
          (isParameter(b) && !isParameter(a) && isUuid(other.operation, b.slice(1, -1))),
      )
      const fixedWins =
        pairs.every(([a, b]) => a === b || !isParameter(a)) ||
        pairs.every(([a, b]) => a === b || !isParameter(b))
      assert.ok(told || fixedWins, `${one.call} and ${other.call}`)
    }
})

test('all paths of an operation have the parameters of its schema', () => {
  for (const { operation, path, call } of served)
    assert.deepEqual(parameterNames(path), propertyNames(operation.params), call)
})

test('scopes name resources and actions of the catalogue', () => {
  for (const operation of everyOperation)
    for (const { resource, action } of actionsOf(operation)) {
      const known: readonly string[] = scopeCatalogue[resource]
      assert.ok(known.includes(action), `${operation.id}: ${resource}:${action}`)
    }
})

test('an operation has scopes or an action, and scopes only with an access token', () => {
  for (const { id, access, scope, action } of everyOperation) {
    assert.ok(!(scope && action), id)
    assert.ok(!scope || access === 'user' || access === 'bearer', id)
  }
})

test('exactly these operations can be called by an application with any scopes', () => {
  const unscoped = everyOperation.filter(
    ({ access, scope, admin }) => access === 'bearer' && !scope && !admin,
  )
  assert.deepEqual(
    unscoped.map(({ id }) => id),
    [
      'auth.inspect',
      'companies.list_countries',
      'companies.read',
      'identities.read_did',
      'certificates.hash',
      'certificates.hash_file',
      'events.follow',
      'events.stream',
      'broker.read',
    ],
    'add a scope to the operation, or its id to this list',
  )
})

test('exactly applications, tokens, wallets, identities, transactions, notarizations and their mails have the live gate', () => {
  const gated = everyOperation.filter(({ liveGate }) => liveGate)
  const others = gated
    .map(({ id }) => id)
    .filter((id) => !/^(applications|wallets|identities|transactions|certificates\.notarize)/.test(id))
  assert.deepEqual(others, [
    'access_tokens.create',
    'access_tokens.update',
    'companies.read_wallet',
    'certificates.mail_again',
    'certificates.refuse',
    'certificates.release',
  ])
  const ungated = everyOperation.filter(({ liveGate }) => !liveGate).map(({ id }) => id)
  assert.deepEqual(
    ungated.filter((id) => /^(applications|wallets|identities|transactions|certificates\.notarize)/.test(id)),
    [],
  )
  for (const { id, mode } of gated) assert.ok(mode, `${id} does not declare its mode`)
})

test('exactly corrections can be made by operators of the service for a company', () => {
  const open = everyOperation.filter(({ orOperator }) => orOperator).map(({ id }) => id)
  assert.deepEqual(open.toSorted(), ['certificates.replace', 'certificates.withdraw', 'identities.revoke'])
})

test('secrets are properties of the answer', () => {
  for (const { id, answer, secrets = [] } of everyOperation)
    for (const secret of secrets) {
      assert.ok(answer.kind === 'json', id)
      assert.ok(secret in (answer.schema as TObject).properties, `${id}: ${secret}`)
    }
})

test('lists return plain arrays and do not declare limit and after themselves', () => {
  for (const { id, list, answer, query } of everyOperation) {
    if (!list) continue
    assert.ok(answer.kind === 'json' && 'items' in answer.schema, id)
    assert.ok(!propertyNames(query).some((name) => name === 'limit' || name === 'after'), id)
  }
})

test('operations with a mode in query or body declare it once', () => {
  for (const { id, mode, query, body } of everyOperation) {
    if (mode === 'query') assert.ok(!propertyNames(query).includes('mode'), id)
    if (mode === 'body') assert.ok(body?.kind === 'json' && 'mode' in (body.schema as TObject).properties, id)
  }
})

test('only POSTs declare their idempotency', () => {
  for (const { id, method, idempotency } of everyOperation) assert.ok(!idempotency || method === 'POST', id)
})

test('every operation of the earlier API is declared with its path and service', () => {
  const found = new Map(served.map(({ operation, call }) => [call, operation]))
  const rows = Object.entries(earlierOperations).flatMap(([service, calls]) =>
    calls.map((call) => ({ service, call })),
  )
  assert.equal(rows.length, 84)
  for (const { service, call } of rows) {
    const operation = found.get(call)
    assert.ok(operation, `${call} is not declared`)
    assert.equal(operation.service, service, call)
    assert.ok(operation.variant !== 'current', call)
  }
})

test('exactly these operations need no access token', () => {
  assert.deepEqual([...publicOperations].toSorted(), [
    'auth.login',
    'certificates.list_families',
    'certificates.list_schemas',
    'certificates.read_code',
    'certificates.read_form',
    'certificates.read_proof',
    'certificates.read_proofs',
    'certificates.verify',
    'certificates.verify_file',
    'health.read',
    'health.read_readiness',
    'invitations.accept',
    'invitations.read_by_link',
    'mailhooks.receive_status',
    'requirements.read_schema',
    'tokens.create',
    'tokens.create_oauth2',
    'users.confirm_email',
    'users.open_password_reset',
    'users.register',
    'users.request_password_reset',
    'users.resend_confirmation',
    'users.reset_password',
    'users.unlock_sign_in_by_link',
  ])
})

test('exactly these operations allow every web origin', () => {
  const open = everyOperation.filter(({ cors }) => cors === 'any').map(({ id }) => id)
  assert.deepEqual(open.toSorted(), [
    'certificates.list_families',
    'certificates.list_schemas',
    'certificates.read_code',
    'certificates.read_form',
    'certificates.read_proof',
    'certificates.read_proofs',
    'certificates.verify',
    'certificates.verify_file',
    'health.read',
    'health.read_readiness',
    'requirements.read_schema',
  ])
})

const limitedTo = (calls: number) =>
  everyOperation.flatMap(({ id, limit }) => (limit?.perMinute === calls ? [id] : [])).toSorted()

test('exactly these operations can be called five times a minute: what they check could be guessed, or they read much', () => {
  assert.deepEqual(limitedTo(limits.credentialCallsPerMinute), [
    'audit.export',
    'audit.verify',
    'auth.login',
    'auth.refresh',
    'invitations.accept',
    'mfa.confirm_totp',
    'mfa.create_passkey',
    'mfa.delete_totp',
    'tokens.create',
    'tokens.create_oauth2',
    'users.change_password',
    'users.register',
    'users.reset_password',
    'users.unlock_sign_in_by_link',
  ])
})

test('every operation that takes a password, a code or the secret of an application is among them', () => {
  const guessable = ['password', 'currentPassword', 'code', 'clientSecret', 'client_secret']
  /** Encrypts the seed of a wallet: nothing is compared with it. */
  const passphrase = ['wallets.create', 'wallets.recover']
  const takers = everyOperation.filter(
    ({ id, body }) =>
      body?.kind !== 'document' &&
      propertyNames(body?.schema as TObject | undefined).some((name) => guessable.includes(name)) &&
      !passphrase.includes(id),
  )
  assert.ok(takers.length >= 9, String(takers.length))
  for (const { id, limit } of takers) assert.equal(limit?.perMinute, limits.credentialCallsPerMinute, id)
})

test('exactly these operations, which mail a link to any address that a stranger names, can be called three times a minute', () => {
  assert.deepEqual(limitedTo(limits.mailCallsPerMinute), [
    'users.request_password_reset',
    'users.resend_confirmation',
  ])
})
