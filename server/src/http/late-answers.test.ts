import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '@millseal/contract'
import { openPlumbing } from '../../test/plumbing.ts'
import { undisturbed } from '../../test/undisturbed.ts'
import { bind } from './binding.ts'

describe('an answer that takes too long', () => {
  test('is 503 with the seven fields, and the connection stays open', async () => {
    const late = Promise.withResolvers<never>()
    let calls = 0
    const handle = async () => {
      calls += 1
      return calls === 1 ? late.promise : {}
    }
    await using plumbing = await openPlumbing([bind(operations.listCountries, handle)], {
      answerWithinMs: 50,
    })
    const read = () =>
      fetch(`${plumbing.url}/api/companies/countries`, {
        headers: { authorization: `Bearer ${plumbing.token}` },
      })
    const response = await read()
    const answer = (await response.json()) as { statusCode: number; name: string; path: string }
    assert.deepEqual([response.status, answer.statusCode], [503, 503])
    assert.equal(answer.name, 'ServiceUnavailableException')
    assert.equal(answer.path, '/api/companies/countries')
    late.reject(new Error('too late'))
    assert.equal(await undisturbed(async () => (await read()).status), 200)
  })
})
