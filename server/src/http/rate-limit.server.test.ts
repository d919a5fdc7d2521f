import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { addressOf, startOwnServer } from '../../test/test-server.ts'

const body = JSON.stringify({ username: 'nobody', password: 'wrong password' })

/** Calls a public operation without a limit of its own. If it passes, the link is invalid: 401. */
const call = (url: string) => fetch(`${url}/api/users/confirm-email?token=${'x'.repeat(43)}`)
const passed = 401

describe('rate limits', () => {
  test('with a limit of 10, exactly 10 of 100 parallel calls pass', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '10' } })
    const responses = await Promise.all(Array.from({ length: 100 }, () => call(server.url)))
    assert.equal(responses.filter(({ status }) => status === passed).length, 10)
    assert.equal(responses.filter(({ status }) => status === 429).length, 90)
    const remaining = responses.map((response) => Number(response.headers.get('x-ratelimit-remaining')))
    assert.deepEqual(remaining.toSorted((a, b) => b - a).slice(0, 10), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  test('two processes share the limit', async () => {
    await using database = await openTestDatabase()
    const environment = { MILLSEAL_RATE_LIMIT: '10' }
    await using one = await startOwnServer({ environment, databaseUrl: addressOf(database) })
    await using other = await startOwnServer({ environment, databaseUrl: addressOf(database) })
    const calls = Array.from({ length: 100 }, (_, index) => call(index % 2 === 0 ? one.url : other.url))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === passed).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 90)
  })

  test('every answer states the remaining calls, a rejected one the wait; after a minute calls pass again', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '2' } })
    const first = await call(server.url)
    assert.equal(first.status, passed)
    assert.equal(first.headers.get('x-ratelimit-limit'), '2')
    assert.equal(first.headers.get('x-ratelimit-remaining'), '1')
    await call(server.url)
    const refused = await call(server.url)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 60, String(wait))
    assert.equal(refused.headers.get('x-ratelimit-reset'), String(wait))
    server.clock.advance({ seconds: 61 })
    assert.equal((await call(server.url)).status, passed)
  })

  test('401 and 404 count too; health and pages have no limit', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '2' } })
    for (const path of ['/api/users/me', '/api/nothing']) {
      const response = await fetch(`${server.url}${path}`)
      assert.equal(response.headers.get('x-ratelimit-limit'), '2', path)
      assert.equal(response.headers.get('x-ratelimit-remaining'), '1', path)
    }
    for (const path of ['/api/health', '/docs/api', '/api/ready']) {
      for (let index = 0; index < 5; index += 1)
        assert.equal((await fetch(`${server.url}${path}`)).status, 200, path)
    }
  })

  test('an IPv6 /64 is one caller, however its addresses are written', async () => {
    await using server = await startOwnServer({
      environment: { MILLSEAL_RATE_LIMIT: '100', MILLSEAL_TRUST_PROXY: '127.0.0.1' },
    })
    const remainingFor = async (address: string): Promise<number> => {
      const headers = { 'x-forwarded-for': address }
      const response = await fetch(`${server.url}/api/nothing`, { headers })
      return Number(response.headers.get('x-ratelimit-remaining'))
    }
    const households = [
      ['2001:db8::f03c:1:2:3', '2001:db8::a:b:c:d', '2001:db8::1', '2001:db8:0:0:0:1::', '2001:DB8::7'],
      ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'],
      ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'],
      ['fe80::1%eth0', 'fe80::2'],
    ]
    for (const addresses of households) {
      const left: number[] = []
      for (const address of addresses) left.push(await remainingFor(address))
      assert.deepEqual(
        left,
        addresses.map((_, index) => 99 - index),
      )
    }
  })

  test('login has a stricter limit', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '1000' } })
    const login = () =>
      fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    assert.ok(Number((await login()).headers.get('x-ratelimit-limit')) <= 10)
  })
})
