import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ApplicationWithSecret } from '@millseal/contract'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { newApplication, newOwner, tokenOf } from '../../../../test/machines.ts'

let server: TestServer
let application: ApplicationWithSecret
before(async () => {
  server = await startTestServer()
  application = await newApplication(server, await newOwner(server, 'oauth-owner'))
})
after(() => server[Symbol.asyncDispose]())

const form = 'application/x-www-form-urlencoded'
const ask = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/api/tokens/oauth2`, {
    method: 'POST',
    headers: { 'content-type': form, ...headers },
    body: new URLSearchParams(fields).toString(),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}
type Body = {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly statusCode: number
  readonly timestamp: string
  readonly details?: readonly string[]
}
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
const grant = { grant_type: 'client_credentials' }
const inForm = () => ({
  ...grant,
  client_id: application.clientId,
  client_secret: application.clientSecret,
})

describe('the client credentials grant of OAuth 2.0', () => {
  test('returns the same token as /tokens with its remaining lifetime, and forbids caching', async () => {
    const token = await tokenOf(server, application)
    const answer = await ask(inForm())
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(answer.body), ['access_token', 'token_type', 'expires_in'])
    assert.equal(answer.body.access_token, token)
    assert.equal(answer.body.token_type, 'Bearer')
    assert.ok(
      answer.body.expires_in > 86_390 && answer.body.expires_in <= 86_400,
      String(answer.body.expires_in),
    )
    server.clock.advance({ seconds: 100 })
    const later = await ask(inForm())
    assert.equal(later.body.access_token, token)
    assert.ok(later.body.expires_in > 86_290 && later.body.expires_in <= 86_300)
  })

  test('accepts HTTP Basic credentials, form-encoded by RFC 6749 §2.3.1, at every address', async () => {
    const token = await tokenOf(server, application)
    const headers = basic(application.clientId, application.clientSecret)
    assert.equal((await ask(grant, headers)).body.access_token, token)
    assert.equal((await ask({ ...grant, client_id: application.clientId }, headers)).status, 200)
    const { authorization } = basic(application.clientId, application.clientSecret)
    assert.equal((await ask(grant, { authorization: authorization.replace('Basic', 'bASIC ') })).status, 200)
    const escaped = `${application.clientId.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}:${application.clientSecret.replace('_', '%5F')}`
    const everyLetter = { authorization: `Basic ${Buffer.from(escaped).toString('base64')}` }
    assert.equal((await ask(grant, everyLetter)).status, 200)
    for (const path of ['/tokens/oauth2', '/user-service/tokens/oauth2', '/api/tokens/oauth2/']) {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': form },
        body: new URLSearchParams(inForm()),
      })
      assert.equal(response.status, 200, path)
    }
  })

  test('rejects all wrong credentials in the same way, and names Basic to clients that used it: 401', async () => {
    const readable = { ...inForm(), client_secret: 'wrong' }
    const plain = await ask(readable)
    assert.equal(plain.status, 401)
    assert.equal(plain.body.statusCode, 401)
    assert.equal(plain.headers.get('www-authenticate'), null)
    for (const authorization of [
      basic(application.clientId, 'wrong').authorization,
      basic('nobody', application.clientSecret).authorization,
      'Basic',
      'Basic !!!!',
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Basic ${Buffer.from('%zz:%00').toString('base64')}`,
      `Basic ${Buffer.from('a%00b:c').toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    ]) {
      const refused = await ask(grant, { authorization })
      assert.equal(refused.status, 401, authorization)
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic /)
      assert.deepEqual({ ...refused.body, timestamp: '' }, { ...plain.body, timestamp: '' })
    }
  })

  test('accepts one grant, one way to authenticate and one content type: 400, 415', async () => {
    const headers = basic(application.clientId, application.clientSecret)
    const cases: readonly [
      fields: Record<string, string>,
      headers: Record<string, string>,
      status: number,
    ][] = [
      [{ ...inForm(), grant_type: 'password' }, {}, 400],
      [{ client_id: application.clientId }, {}, 400],
      [grant, {}, 400],
      [{ ...grant, client_id: application.clientId }, {}, 400],
      [inForm(), headers, 400],
      [{ ...grant, client_id: 'another' }, headers, 400],
      [inForm(), { 'content-type': 'application/json' }, 415],
    ]
    for (const [fields, extra, status] of cases) {
      const answer = await ask(fields, extra)
      assert.equal(answer.status, status, JSON.stringify(fields))
      assert.equal(answer.body.statusCode, status)
    }
    const twice = await fetch(`${server.url}/api/tokens/oauth2`, {
      method: 'POST',
      headers: { 'content-type': form },
      body: `${new URLSearchParams(inForm())}&client_id=another`,
    })
    assert.equal(twice.status, 400)
  })

  test('names the credentials that are missing', async () => {
    const { client_id, client_secret } = inForm()
    const cases: readonly [fields: Record<string, string>, missing: readonly string[]][] = [
      [{}, ['client_id', 'client_secret']],
      [{ client_id }, ['client_secret']],
      [{ client_secret }, ['client_id']],
    ]
    for (const [fields, missing] of cases) {
      const { body } = await ask({ ...grant, ...fields })
      assert.deepEqual(
        body.details,
        missing.map((name) => `/${name} is required, in the body or as HTTP Basic credentials`),
      )
    }
  })
})
