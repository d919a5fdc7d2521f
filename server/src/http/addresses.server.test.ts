import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { signUp } from '../../test/people.ts'
import { openPlumbing } from '../../test/plumbing.ts'
import { canonicalUrl, namedService } from './address.ts'

let server: TestServer
let token: string
before(async () => {
  server = await startOwnServer()
  token = (await signUp(server, 'addressee')).accessToken
})
after(() => server[Symbol.asyncDispose]())

describe('an operation answers at every form of its address, without a redirect', () => {
  for (const path of [
    '/api/users/me',
    '/users/me',
    '/user-service/users/me',
    '/api/user-service/users/me',
    '/api/users/me/',
    '/users/me/?',
    '/api/users/me/?anything=1',
  ]) {
    test(path, async () => {
      const response = await fetch(`${server.url}${path}`, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'manual',
      })
      assert.equal(response.status, 200)
    })
  }

  test('all forms have one canonical form', () => {
    const shapes = ['/api/x?y=1', '/x?y=1', '/km-service/x?y=1', '/api/km-service/x?y=1']
    for (const shape of shapes) assert.equal(canonicalUrl(shape), '/x?y=1')
    assert.equal(canonicalUrl('/apis/x'), '/apis/x')
    assert.equal(canonicalUrl('/api'), '/')
    assert.equal(namedService('/api/km-service/x'), 'km-service')
    assert.equal(namedService('/x/km-service'), undefined)
  })
})

describe('requests of older clients work', () => {
  const get = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/users/me`, { headers: { authorization: `Bearer ${token}`, ...headers } })

  test('GET accepts a content type without a body', async () => {
    assert.equal((await get({ 'content-type': 'application/json' })).status, 200)
  })

  test('a request that needs no body and has none may have any content type', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', '*/*']) {
      assert.equal((await get({ 'content-type': type })).status, 200, type)
      const authorization = `Bearer ${token}`
      const response = await fetch(`${server.url}/api/sessions/0198c0de-0000-7000-8000-000000000001`, {
        method: 'DELETE',
        headers: { authorization, 'content-type': type, 'content-length': '0' },
      })
      assert.equal(response.status, 404, type)
    }
  })

  test('an unneeded company header and any letter case of Bearer are accepted', async () => {
    assert.equal((await get({ company: 'whatever' })).status, 200)
    assert.equal((await get({ authorization: `bearer ${token}` })).status, 200)
  })

  test('unknown properties are ignored', async () => {
    const body = {
      username: 'newer-client',
      email: 'newer@example.com',
      password: 'long enough 1',
      role: 'ADMIN',
      extra: {},
    }
    const response = await fetch(`${server.url}/api/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 201)
    const user = (await response.json()) as Record<string, unknown>
    assert.equal(user['role'], 'USER')
    assert.ok(!('extra' in user))
  })
})

describe('web pages of other origins', () => {
  const verify = `/api/certificates/verify?mode=live`

  test('may call public operations: preflight, answers and errors allow it', async () => {
    const preflight = await fetch(`${server.url}${verify}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://buyer.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/)
    const refused = await fetch(`${server.url}${verify}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    })
    assert.ok(refused.status >= 400)
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
    assert.equal(typeof ((await refused.json()) as { message: unknown }).message, 'string')
  })

  test('may not call other operations', async () => {
    const preflight = await fetch(`${server.url}/api/users/me`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'GET' },
    })
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    assert.equal((await get401()).headers.get('access-control-allow-origin'), null)
  })

  const get401 = () =>
    fetch(`${server.url}/api/users/me`, { headers: { origin: 'https://evil.example.com' } })
})

describe('every answer', () => {
  test('has a request id: the one in the request if it is valid', async () => {
    const sent = await fetch(`${server.url}/api/health`, { headers: { 'x-request-id': 'press-shop-0001' } })
    assert.equal(sent.headers.get('x-request-id'), 'press-shop-0001')
    const forged = await fetch(`${server.url}/api/health`, { headers: { 'x-request-id': 'a b"c' } })
    assert.match(forged.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  })

  test('has the protecting headers', async () => {
    const { headers } = await fetch(`${server.url}/api/health`)
    const expected = {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value)
    assert.equal(headers.get('strict-transport-security'), null, 'only with an https URL')
    await using secure = await openPlumbing([], { isSecure: true })
    const refused = await fetch(`${secure.url}/api/nothing`)
    assert.equal(refused.headers.get('strict-transport-security'), 'max-age=31536000')
    assert.equal(refused.headers.get('x-frame-options'), 'DENY', 'errors have them too')
  })
})
