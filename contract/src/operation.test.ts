import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addresses, impliedErrors, memberRoleOf, methodsOf } from './deduce.ts'
import type { AnswerOf, BodyOf, Document, ParamsOf, QueryOf } from './operation.ts'
import { operations } from './operations/index.ts'
import type { Identity } from './shapes/identities.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
const holds = <T extends true>(proof: T) => assert.ok(proof)

type Operations = typeof operations

test('the types of parameters, queries, bodies and answers follow from the declaration', () => {
  holds<Same<ParamsOf<Operations['updateMember']>, { id: string; userId: string }>>(true)
  holds<Same<ParamsOf<Operations['readMe']>, object>>(true)
  holds<Same<QueryOf<Operations['listIdentities']>['mode'], 'test' | 'live'>>(true)
  holds<Same<QueryOf<Operations['listIdentities']>['account'], number | undefined>>(true)
  holds<Same<QueryOf<Operations['listIdentities']>['limit'], number | undefined>>(true)
  holds<Same<BodyOf<Operations['notarizeCertificate']>, Document>>(true)
  holds<Same<BodyOf<Operations['readMe']>, undefined>>(true)
  holds<Same<BodyOf<Operations['createToken']>, { clientId: string; clientSecret: string }>>(true)
  holds<Same<undefined extends BodyOf<Operations['createWallet']> ? true : false, true>>(true)
  holds<Same<AnswerOf<Operations['createIdentity']>, Identity>>(true)
  holds<Same<AnswerOf<Operations['renderCertificate']>, never>>(true)
})

test('addresses and methods start with the documented ones', () => {
  assert.deepEqual(addresses(operations.readWallet), ['/wallets/{id}', '/wallet/{id}'])
  assert.deepEqual(methodsOf(operations.updateNode), ['PUT', 'PATCH'])
})

test('members can read and admins can change, unless the operation says otherwise', () => {
  assert.equal(memberRoleOf(operations.listHooks), 'read_only')
  assert.equal(memberRoleOf(operations.createHook), 'admin')
  assert.equal(memberRoleOf(operations.retryEvent), 'operator')
  assert.equal(memberRoleOf(operations.readMe), undefined)
})

test('the errors of an operation follow from its declaration', () => {
  assert.deepEqual(impliedErrors(operations.readHealth), ['version_unknown', 'internal', 'unavailable'])
  assert.deepEqual(impliedErrors(operations.confirmEmail), [
    'validation_failed',
    'link_invalid',
    'version_unknown',
    'user_exists',
    'rate_limited',
    'internal',
    'unavailable',
  ])
  const notarize = impliedErrors(operations.notarizeCertificate)
  for (const code of [
    'mode_mismatch',
    'company_unverified',
    'malformed_multipart',
    'idempotency_mismatch',
  ] as const)
    assert.ok(notarize.includes(code), code)
  assert.ok(!impliedErrors(operations.createToken).includes('idempotency_mismatch'))
})
