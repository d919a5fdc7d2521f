import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ApplicationWithSecret } from '@millseal/contract'
import { type ExactAnswer, sendExactly } from '../../test/exact-request.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { newApplication, newOwner, type Owner } from '../../test/machines.ts'

let server: TestServer
let owner: Owner
let application: ApplicationWithSecret
before(async () => {
  server = await startTestServer()
  owner = await newOwner(server, 'flow-owner')
  application = await newApplication(server, owner)
})
after(() => server[Symbol.asyncDispose]())

const send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<ExactAnswer> =>
  sendExactly(server.url, { method, path, headers, ...(body === undefined ? {} : { body }) })

const axios = (version: string) => ({
  Accept: 'application/json, text/plain, */*',
  'Content-Type': 'application/json',
  'User-Agent': version,
})
const nodeRed = {
  ...axios('node-red-s1seven-api/1.3.0/workstation'),
  'x-version': '1',
  'Accept-Encoding': 'gzip, compress, deflate, br',
}
const credentials = () =>
  JSON.stringify({ clientId: application.clientId, clientSecret: application.clientSecret })

/** What the Node-RED nodes read: a missing application or owner throws in them. */
const readToken = ({ body }: ExactAnswer) => {
  const { accessToken, application: from } = body as {
    accessToken: string
    application: { mode: string; owner: { id: string } }
  }
  return { accessToken, mode: from.mode, companyId: from.owner.id }
}

describe('clients whose requests were recorded', () => {
  test('the Node-RED node gets its token, mode and company, also with the headers of its last request', async () => {
    const first = await send('POST', '/api/tokens', nodeRed, credentials())
    assert.equal(first.status, 201)
    const { accessToken, mode, companyId } = readToken(first)
    assert.deepEqual([mode, companyId], ['test', owner.company.id])
    const known = { ...nodeRed, authorization: `Bearer ${accessToken}`, company: companyId }
    assert.equal(readToken(await send('POST', '/api/tokens', known, credentials())).accessToken, accessToken)
    const stale = { ...nodeRed, authorization: 'Bearer of.an.older-server', company: 'no company of ours' }
    assert.equal(readToken(await send('POST', '/api/tokens', stale, credentials())).accessToken, accessToken)
  })

  test('its MQTT flow tests the token by reading the company, and gets a new one after a numeric 401', async () => {
    const { accessToken, companyId } = readToken(await send('POST', '/api/tokens', nodeRed, credentials()))
    const probe = { ...nodeRed, authorization: `Bearer ${accessToken}`, company: companyId }
    const path = `/api/companies/${companyId}`
    assert.equal((await send('GET', path, probe)).body['id'], companyId)
    server.clock.advance({ days: 1, seconds: 10 })
    const expired = await send('GET', path, probe)
    assert.strictEqual(expired.body['statusCode'], 401)
    assert.equal(typeof expired.body['message'], 'string')
    const renewed = readToken(await send('POST', '/api/tokens', probe, credentials()))
    assert.notEqual(renewed.accessToken, accessToken)
    const again = { ...probe, authorization: `Bearer ${renewed.accessToken}` }
    assert.equal((await send('GET', path, again)).status, 200)
  })

  test('the older Node-RED node uses a long-lived token, and sends neither version nor company', async () => {
    const admin = await owner.signInAgain()
    const { jwt } = await server.client(admin.accessToken).createAccessToken({
      company: owner.company.id,
      query: { mode: 'test' },
      body: { scopes: { companies: { actions: ['read_one'] } } },
    })
    const { status, body } = await send('GET', `/api/companies/${owner.company.id}`, {
      ...axios('axios/0.27.2'),
      authorization: `Bearer ${jwt}`,
    })
    assert.equal(status, 200)
    assert.equal(body['id'], owner.company.id)
  })

  test('the SAP connector requests a token by OAuth 2.0 every 86,000 seconds, and always has a valid one', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application.clientId,
      client_secret: application.clientSecret,
    }).toString()
    const health = await send('GET', '/api/health', {})
    assert.equal(health.status, 200)
    let held: string | undefined
    for (let day = 0; day < 3; day += 1) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const { status, body } = await send('POST', '/api/tokens/oauth2', headers, form)
      assert.equal(status, 200)
      assert.equal(body['token_type'], 'Bearer')
      const token = String(body['access_token'])
      assert.notEqual(token, held)
      held = token
      for (const seconds of [0, 43_000, 42_990]) {
        server.clock.advance({ seconds })
        const used = await send('GET', `/api/companies/${owner.company.id}`, {
          authorization: `Bearer ${held}`,
          company: owner.company.id,
        })
        assert.equal(used.status, 200, `day ${day}, after ${seconds} s`)
      }
      server.clock.advance({ seconds: 10 })
    }
  })
})
