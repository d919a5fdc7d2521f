import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { machineScopes, type ScopeObject, scopeCatalogue } from '@millseal/contract'
import { Problem } from '../../lib/problem.ts'
import { readScopes, scopePairs } from './scopes.ts'

const refused = (scopes: ScopeObject): Problem => {
  try {
    readScopes(scopes)
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  throw new Error('not refused')
}

describe('the scopes of a machine', () => {
  test('are returned in the spelling and order of the catalogue', () => {
    const asked = {
      mail_hooks: { actions: ['update_one', 'read_one'] },
      wallets: { actions: ['read_one', 'read_one'] },
      wallet: { actions: ['create_one'] },
      hooks: { actions: [] },
    }
    assert.equal(
      JSON.stringify(readScopes(asked)),
      '{"wallets":{"actions":["read_one","create_one"]},"mailhooks":{"actions":["read_one","update_one"]}}',
    )
  })

  test('named by a star are all that a machine can have, and become pairs', () => {
    const all = readScopes({ cointypes: { actions: ['*'] }, certificates: { actions: ['*', 'read_one'] } })
    assert.deepEqual(all['cointypes'], { actions: ['read_one', 'read_many'] })
    assert.deepEqual(all['certificates'], { actions: [...scopeCatalogue.certificates] })
    assert.ok(scopePairs(all).has('certificates:notarize_one'))
    assert.equal(scopePairs(all).size, 2 + scopeCatalogue.certificates.length)
  })

  test('that do not exist are named in the error: 400', () => {
    const { code, details } = refused({
      wallets: { actions: ['read_one', 'melt'] },
      furnaces: { actions: ['read_one'] },
      toString: { actions: [] },
      constructor: { actions: ['*'] },
    })
    assert.equal(code, 'scope_unknown')
    assert.deepEqual(details, [
      '/scopes/wallets: there is no action melt',
      '/scopes: there is no resource furnaces',
      '/scopes: there is no resource toString',
      '/scopes: there is no resource constructor',
    ])
  })

  test('that are for persons only are named in the error: 403', () => {
    for (const [resource, actions] of Object.entries(scopeCatalogue)) {
      const may: readonly string[] =
        new Map<string, readonly string[]>(Object.entries(machineScopes)).get(resource) ?? []
      for (const action of actions.filter((each) => !may.includes(each))) {
        const { code, details } = refused({ [resource]: { actions: [action] } })
        assert.equal(code, 'scope_exceeded')
        assert.deepEqual(details, [`/scopes/${resource}: ${resource}:${action} is not for machines`])
      }
      if (may.length === 0) assert.equal(refused({ [resource]: { actions: ['*'] } }).code, 'scope_exceeded')
    }
  })

  test('that are wrong are named up to a limit', () => {
    const actions = Array.from({ length: 40 }, (_, index) => `action_${index}`)
    assert.equal(refused({ wallets: { actions } }).details.length, 20)
  })
})
