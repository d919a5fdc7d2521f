import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { startOwnServer } from '../../test/test-server.ts'

const address = '203.0.113.77'
const secret = 'canary-of-the-caller'

/** Method, address and body, each with the secret where people and programs put some. */
const calls: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', `/api/users/confirm-email?token=${secret}-${'x'.repeat(43)}`],
  ['GET', `/api/nothing/${secret}?password=${secret}`],
  ['GET', `/api/certificates/verify?mode=${secret}`],
  ['POST', `/api/auth/login?${secret}`, `{"username":"${secret}","password":"${secret}"}`],
  ['POST', '/api/auth/login', `{"username":"${secret}`],
  ['POST', '/api/certificates/verify?mode=test', `{"${secret}":1,"${secret}":2}`],
  ['GET', `/auth/callback?code=${secret}&state=${secret}`],
  ['GET', `/reset-password?token=${secret}`],
  ['GET', `/v/${secret}?${secret}`],
  ['GET', `/ledger/test/api/v1/assets?search=${secret}`],
  [secret.toUpperCase(), `/${secret}`],
]

describe('the log of a request', () => {
  test('has its id, method, operation, status and duration, and neither query, body, token nor address', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_TRUST_PROXY: '127.0.0.1,::1' } })
    for (const [at, [method, path, body]] of calls.entries()) {
      const headers = {
        'x-forwarded-for': address,
        'x-request-id': `request-${at}`,
        authorization: `Bearer ${secret}`,
        cookie: `millseal-session=${secret}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      await fetch(`${server.url}${path}`, { method, headers, redirect: 'manual', body: body ?? null })
    }
    const logged = () =>
      server.log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'request')
    await eventually(() => logged().length >= calls.length - 1, { what: 'the log of all requests' })
    for (const entry of logged())
      assert.deepEqual(Object.keys(entry).toSorted(), [
        'level',
        'method',
        'ms',
        'msg',
        'requestId',
        'route',
        'status',
        'time',
      ])
    assert.ok(logged().some(({ route, status }) => route === 'auth.login' && status === 401))
    const text = server.log.join('').toLowerCase()
    for (const hidden of [secret, address]) assert.ok(!text.includes(hidden), hidden)
  })
})
