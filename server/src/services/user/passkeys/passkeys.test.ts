import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { password, signUp } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { newPasskeyResponse } from '../../../../test/soft-passkey.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const name = 'Laptop'

describe('a passkey over the API', () => {
  test('is added once for each challenge, enables MFA and ends all other sessions', async () => {
    const { username, accessToken } = await signUp(server, 'adds-one')
    const other = await server.client().login({ body: { username, password } })
    const client = server.client(accessToken)
    const { options } = await client.createPasskeyOptions({})
    const response = newPasskeyResponse(options, { origin: server.url })
    const { id, recoveryCodes } = await client.createPasskey({ body: { name, response } })
    assert.equal(recoveryCodes?.length, 10)
    const mfa = await client.readMfa()
    assert.deepEqual([mfa.enabled, mfa.passkeys.map((passkey) => passkey.id)], [true, [id]])
    await assertRefused(client.createPasskey({ body: { name, response } }), 'passkey_refused')
    await assertRefused(server.client(other.accessToken).readMfa(), 'token_invalid')
    // The password alone does not sign in any more.
    await assertRefused(server.client().login({ body: { username, password } }), 'mfa_code_required')

    await assertRefused(client.deletePasskey({ params: { id: randomUUID() } }), 'not_found')
    await client.deletePasskey({ params: { id } })
    assert.equal((await client.readMfa()).enabled, false)
  })

  test('is refused from another origin, for another session, and as anything but an answer', async () => {
    const { username, accessToken } = await signUp(server, 'is-fooled')
    const client = server.client(accessToken)
    const other = server.client((await server.client().login({ body: { username, password } })).accessToken)
    const { options } = await client.createPasskeyOptions({})
    const foreign = newPasskeyResponse(options, { origin: 'https://phishing.example' })
    await assertRefused(client.createPasskey({ body: { name, response: foreign } }), 'passkey_refused')
    const { options: own } = await client.createPasskeyOptions({})
    const response = newPasskeyResponse(own, { origin: server.url })
    await assertRefused(other.createPasskey({ body: { name, response } }), 'passkey_refused')
    for (const odd of ['{}', 'null', '[]', 'no JSON', '{"response":{}}']) {
      await client.createPasskeyOptions({})
      await assertRefused(client.createPasskey({ body: { name, response: odd } }), 'passkey_refused')
    }
    assert.equal((await client.readMfa()).enabled, false)
  })

  test('is neither added nor deleted in a session whose sign-in is too long ago', async () => {
    const { accessToken } = await signUp(server, 'left-the-desk')
    const client = server.client(accessToken)
    server.clock.advance({ seconds: limits.recentSignInSeconds + 1 })
    await assertRefused(client.createPasskeyOptions({}), 'step_up_required')
    await assertRefused(client.createPasskey({ body: { name, response: '{}' } }), 'step_up_required')
    await assertRefused(client.deletePasskey({ params: { id: randomUUID() } }), 'step_up_required')
  })
})
