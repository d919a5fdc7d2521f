import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, type TestHouse } from '../../test/house.ts'
import { password, signUp } from '../../test/people.ts'

let house: TestHouse
before(async () => {
  house = await openHouse()
})
after(() => house[Symbol.asyncDispose]())

const cacheControl = async (path: string, init: RequestInit = {}): Promise<string | null> =>
  (await fetch(`${house.url}${path}`, init)).headers.get('cache-control')

test('no answer of the API is kept by a browser or a proxy: not a private one, not a token, not a refusal', async () => {
  const { accessToken, username } = await signUp(house, 'cashier')
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
