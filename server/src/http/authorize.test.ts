import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type MemberRole, memberRoleOf, type Operation } from '@millseal/contract'
import { authorizationPage, callers, decide, operationsInOrder } from '../../test/authorization-table.ts'
import { samplePerson } from '../../test/sample-principals.ts'
import { assertLive } from './authorize.ts'

const caller = (name: string) => callers.find((known) => known.name === name) ?? assert.fail(name)
const situations = (['test', 'live'] as const).flatMap((mode) =>
  [true, false].map((verified) => ({ mode, verified })),
)

const eachCase = (
  check: (
    operation: Operation,
    decisionFor: (name: string) => string,
    situation: { mode: string; verified: boolean },
  ) => void,
) => {
  for (const operation of operationsInOrder) {
    for (const situation of situations)
      check(operation, (name) => decide(caller(name), { operation, ...situation }), situation)
  }
}
const isClosed = ({ access }: Operation) => access === 'user' || access === 'bearer'
const isAboutCompany = (operation: Operation) =>
  operation.company !== undefined || memberRoleOf(operation) !== undefined

describe('authorize(), for every operation, caller, mode and company', () => {
  test('rejects every call without a token', () => {
    eachCase((operation, decisionFor) =>
      assert.equal(decisionFor('no token'), isClosed(operation) ? 'unauthenticated' : 'yes', operation.id),
    )
  })

  test('rejects outsiders and machines of another company', () => {
    eachCase((operation, decisionFor) => {
      if (
        operation.company !== 'required' &&
        (!isClosed(operation) || operation.company !== undefined || memberRoleOf(operation) === undefined)
      )
        return
      assert.notEqual(decisionFor('outsider'), 'yes', operation.id)
      assert.notEqual(decisionFor('app elsewhere'), 'yes', operation.id)
      assert.equal(
        decisionFor('outsider') === 'not_found',
        operation.company === undefined && operation.admin !== true,
        operation.id,
      )
    })
  })

  test('limits a machine to its scopes', () => {
    eachCase((operation, decisionFor) => {
      if (operation.access === 'bearer' && operation.scope !== undefined)
        assert.equal(decisionFor('app, no scope'), 'scope_missing', operation.id)
      if (operation.access === 'user') assert.equal(decisionFor('app test'), 'person_required', operation.id)
    })
  })

  test('limits a machine to the mode of its token', () => {
    eachCase((operation, decisionFor, { mode }) => {
      if (operation.mode !== 'query' || operation.access !== 'bearer') return
      assert.equal(
        decisionFor(mode === 'test' ? 'app live' : 'app test'),
        'mode_mismatch',
        `${operation.id} ${mode}`,
      )
    })
  })

  test('requires the role of the operation from members', () => {
    const ranks: readonly MemberRole[] = ['read_only', 'operator', 'clerk', 'approver', 'admin']
    eachCase((operation, decisionFor) => {
      const needed = memberRoleOf(operation)
      if (needed === undefined || !isClosed(operation) || operation.admin === true) return
      const roles = {
        reader: 'read_only',
        operator: 'operator',
        clerk: 'clerk',
        approver: 'approver',
        admin: 'admin',
      } as const
      for (const [name, role] of Object.entries(roles)) {
        const isEnough: boolean = ranks.indexOf(role) >= ranks.indexOf(needed)
        assert.equal(decisionFor(name) === 'member_role_missing', !isEnough, `${operation.id} ${name}`)
      }
    })
  })

  test('allows live resources only to verified companies, and to people only with MFA', () => {
    eachCase((operation, decisionFor, { mode, verified }) => {
      if (operation.liveGate !== true || operation.mode === undefined || operation.admin === true) return
      if (mode === 'test') {
        assert.equal(decisionFor('admin, no MFA'), 'yes', operation.id)
        return
      }
      assert.equal(decisionFor('admin'), verified ? 'yes' : 'company_unverified', operation.id)
      assert.equal(
        decisionFor('admin, no MFA'),
        verified ? 'mfa_required' : 'company_unverified',
        operation.id,
      )
      assert.equal(
        decisionFor('admin, one factor'),
        verified ? 'mfa_required' : 'company_unverified',
        operation.id,
      )
      if (operation.access === 'bearer')
        assert.equal(decisionFor('app live'), verified ? 'yes' : 'company_unverified', operation.id)
    })
  })

  test('tells a person whose session has one factor to sign in again, if the account has a second', () => {
    const verified = { role: 'admin', verified: true } as const
    for (const [hasMfa, details] of [
      [true, ['This session was opened with one factor: sign in again']],
      [false, []],
    ] as const)
      assert.throws(() => assertLive(samplePerson({ acr: '1fa', hasMfa }), verified, 'live'), {
        code: 'mfa_required',
        details,
      })
  })

  test('reserves operator operations for operators, who cannot change companies of others', () => {
    eachCase((operation, decisionFor) => {
      if (operation.twoFactors === true)
        assert.equal(decisionFor('platform, one factor'), 'mfa_required', operation.id)
      if (operation.admin === true) assert.equal(decisionFor('admin'), 'role_missing', operation.id)
      if (operation.orOperator === true) assert.equal(decisionFor('platform'), 'yes', operation.id)
      if (
        operation.admin !== true &&
        operation.orOperator !== true &&
        isAboutCompany(operation) &&
        operation.method !== 'GET' &&
        isClosed(operation)
      ) {
        assert.notEqual(decisionFor('platform'), 'yes', operation.id)
      }
    })
  })

  test('matches docs/authorization.md', async () => {
    const file = join(import.meta.dirname, '../../../docs/authorization.md')
    assert.equal(await readFile(file, 'utf8'), authorizationPage(), 'Run script/dump')
  })
})
