import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type MemberRole, memberRoleOf, type Operation } from '@millseal/contract'
import { authorizationPage, callers, judge, operationsInOrder } from '../../test/authorization-table.ts'

const caller = (name: string) => callers.find((known) => known.name === name) ?? assert.fail(name)
const situations = (['test', 'live'] as const).flatMap((mode) =>
  [true, false].map((verified) => ({ mode, verified })),
)

const eachCase = (
  check: (
    operation: Operation,
    decide: (name: string) => string,
    situation: { mode: string; verified: boolean },
  ) => void,
) => {
  for (const operation of operationsInOrder) {
    for (const situation of situations)
      check(operation, (name) => judge(caller(name), { operation, ...situation }), situation)
  }
}
const isClosed = ({ access }: Operation) => access === 'user' || access === 'bearer'
const isAboutCompany = (operation: Operation) =>
  operation.company !== undefined || memberRoleOf(operation) !== undefined

describe('authorize(), over every operation, caller, mode and company', () => {
  test('lets nobody in without a token', () => {
    eachCase((operation, decide) =>
      assert.equal(decide('nobody'), isClosed(operation) ? 'unauthenticated' : 'yes', operation.id),
    )
  })

  test('lets no outsider touch a company, and no machine of another company', () => {
    eachCase((operation, decide) => {
      if (
        operation.company !== 'required' &&
        (!isClosed(operation) || operation.company !== undefined || memberRoleOf(operation) === undefined)
      )
        return
      assert.notEqual(decide('outsider'), 'yes', operation.id)
      assert.notEqual(decide('app elsewhere'), 'yes', operation.id)
      assert.equal(
        decide('outsider') === 'not_found',
        operation.company === undefined && operation.admin !== true,
        operation.id,
      )
    })
  })

  test('gives a machine nothing beyond its scopes', () => {
    eachCase((operation, decide) => {
      if (operation.access === 'bearer' && operation.scope !== undefined)
        assert.equal(decide('app, no scope'), 'scope_missing', operation.id)
      if (operation.access === 'user') assert.equal(decide('app test'), 'person_required', operation.id)
    })
  })

  test('keeps a machine in the mode of its token', () => {
    eachCase((operation, decide, { mode }) => {
      if (operation.mode !== 'query' || operation.access !== 'bearer') return
      assert.equal(
        decide(mode === 'test' ? 'app live' : 'app test'),
        'mode_mismatch',
        `${operation.id} ${mode}`,
      )
    })
  })

  test('asks of a member at least the role the operation needs', () => {
    const ranks: readonly MemberRole[] = ['read_only', 'operator', 'admin']
    eachCase((operation, decide) => {
      const needed = memberRoleOf(operation)
      if (needed === undefined || !isClosed(operation) || operation.admin === true) return
      const roles = { reader: 'read_only', operator: 'operator', admin: 'admin' } as const
      for (const [name, role] of Object.entries(roles)) {
        const isEnough: boolean = ranks.indexOf(role) >= ranks.indexOf(needed)
        assert.equal(decide(name) === 'member_role_missing', !isEnough, `${operation.id} ${name}`)
      }
    })
  })

  test('opens live resources only to verified companies, and to people only with MFA', () => {
    eachCase((operation, decide, { mode, verified }) => {
      if (operation.liveGate !== true || operation.mode === undefined || operation.admin === true) return
      if (mode === 'test') {
        assert.equal(decide('admin, no MFA'), 'yes', operation.id)
        return
      }
      assert.equal(decide('admin'), verified ? 'yes' : 'company_unverified', operation.id)
      assert.equal(decide('admin, no MFA'), verified ? 'mfa_required' : 'company_unverified', operation.id)
      if (operation.access === 'bearer')
        assert.equal(decide('app live'), verified ? 'yes' : 'company_unverified', operation.id)
    })
  })

  test('reserves what operators of the platform do to them, and gives them no write on a company of others', () => {
    eachCase((operation, decide) => {
      if (operation.admin === true) assert.equal(decide('admin'), 'role_missing', operation.id)
      if (
        operation.admin !== true &&
        isAboutCompany(operation) &&
        operation.method !== 'GET' &&
        isClosed(operation)
      ) {
        assert.notEqual(decide('platform'), 'yes', operation.id)
      }
    })
  })

  test('is written down in docs/authorization.md as it is', async () => {
    const file = join(import.meta.dirname, '../../../docs/authorization.md')
    assert.equal(await readFile(file, 'utf8'), authorizationPage(), 'Run script/dump')
  })
})
