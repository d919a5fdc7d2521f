import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { password, signUp } from '../../test/people.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server[Symbol.asyncDispose]())

const cacheControl = async (path: string, init: RequestInit = {}): Promise<string | null> =>
  (await fetch(`${server.url}${path}`, init)).headers.get('cache-control')

test('browsers and proxies may not store answers of the API: neither data nor tokens nor errors', async () => {
  const { accessToken, username } = await signUp(server, 'cashier')
  const headers = { authorization: `Bearer ${accessToken}` }
  assert.equal(await cacheControl('/api/users/me', { headers }), 'no-store')
  assert.equal(await cacheControl('/api/users/me'), 'no-store')
  const login = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  }
  assert.equal(await cacheControl('/api/auth/login', login), 'no-store')
})
