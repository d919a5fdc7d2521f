import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { operations } from '@millseal/contract'
import { openPlumbing } from '../../test/plumbing.ts'
import { bind } from './binding.ts'

const type = 'application/x-ndjson'

/** A batch whose second line is sent when the test says so. */
const heldBatch = () => {
  const held = Promise.withResolvers<void>()
  const lines = async function* () {
    yield '1\n'
    await held.promise
    yield '2\n'
  }
  const binding = bind(operations.verifyCertificates, async () => ({ type, bytes: lines() }))
  return { held, binding }
}

const send = (plumbing: { readonly url: string; readonly token: string }): Promise<Response> =>
  fetch(`${plumbing.url}/api/certificates/verify-many?mode=test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${plumbing.token}`, company: randomUUID(), 'content-type': type },
    body: '{}',
  })

describe('an answer that is sent as it is made', () => {
  test('is read line by line, and goes on after the time in which others must end', async () => {
    const { held, binding } = heldBatch()
    const never = Promise.withResolvers<never>()
    const slow = bind(operations.listCountries, () => never.promise)
    await using plumbing = await openPlumbing([binding, slow], { answerWithinMs: 50 })
    const response = await send(plumbing)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, '1\n')
    // Begun after it, and so ended later than it would be.
    const other = await fetch(`${plumbing.url}/api/companies/countries`, {
      headers: { authorization: `Bearer ${plumbing.token}` },
    })
    assert.equal(other.status, 503)
    never.reject(new Error('too late'))
    held.resolve()
    assert.equal((await reader?.read())?.value, '2\n')
    assert.equal((await reader?.read())?.done, true)
  })

  test('is cut off when the server stops, and never looks complete', async () => {
    const { held, binding } = heldBatch()
    const stopping = { now: false }
    await using plumbing = await openPlumbing([binding], { draining: () => stopping.now })
    const response = await send(plumbing)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, '1\n')
    stopping.now = true
    held.resolve()
    await assert.rejects(async () => reader?.read(), /terminated/)
  })
})
