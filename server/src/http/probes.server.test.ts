import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freePort } from '../../test/server-process.ts'
import { startOwnServer } from '../../test/test-server.ts'
import { startSharedPostgres } from '../../test/shared-postgres.ts'

describe('health, readiness and metrics', () => {
  test('readiness names every dependency and the one that is down; health stays up', async () => {
    await using postgres = await startSharedPostgres()
    await using server = await startOwnServer({ databaseUrl: postgres.connectionString })
    const ready = await fetch(`${server.url}/api/ready`)
    assert.equal(ready.status, 200)
    const { dependencies } = (await ready.json()) as { dependencies: { name: string; status: string }[] }
    assert.deepEqual(
      dependencies.map(({ name, status }) => `${name} ${status}`),
      ['database up', 'jobs up', 'keys up', 'mailer up', 'broker up', 'test log up', 'live log up'],
    )

    await postgres.stop()
    const broken = await fetch(`${server.url}/api/ready`)
    assert.equal(broken.status, 503)
    const answer = (await broken.json()) as { name: string; details: string[] }
    assert.equal(answer.name, 'ServiceUnavailableException')
    assert.ok(
      answer.details.some((detail) => detail.startsWith('database: ')),
      answer.details.join(),
    )
    assert.ok(Number(broken.headers.get('retry-after')) > 0)
    assert.equal((await fetch(`${server.url}/api/health`)).status, 200)

    const write = await fetch(`${server.url}/api/users/confirm-email?token=${'x'.repeat(43)}`)
    assert.equal(write.status, 503, 'an operation that needs the database answers 503, not 500')
  })

  test('metrics are for this machine or, with a token, for its holder', async () => {
    await using open = await startOwnServer()
    await fetch(`${open.url}/api/health`)
    const local = await fetch(`${open.url}/metrics`)
    assert.equal(local.status, 200)
    assert.match(await local.text(), /millseal_http_request_seconds_bucket/)
    assert.equal(
      (await fetch(`${open.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } })).status,
      404,
    )

    await using closed = await startOwnServer({
      environment: { MILLSEAL_METRICS_TOKEN: 'a-token-for-metrics' },
    })
    assert.equal((await fetch(`${closed.url}/metrics`)).status, 401)
    const headers = { authorization: 'Bearer a-token-for-metrics' }
    assert.equal((await fetch(`${closed.url}/metrics`, { headers })).status, 200)
  })

  test('metrics need their token as soon as a proxy is configured, whatever it sends', async () => {
    for (const [name, value] of [
      ['MILLSEAL_TRUST_PROXY', '127.0.0.1'],
      ['MILLSEAL_PUBLIC_URL', 'https://certificates.example.com'],
    ] as const) {
      const port = String(await freePort())
      await using _server = await startOwnServer({ environment: { MILLSEAL_PORT: port, [name]: value } })
      assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 404, name)
    }
  })

  test('the server itself serves the API reference and all its files', async () => {
    await using server = await startOwnServer()
    const answer = await fetch(`${server.url}/docs`)
    assert.equal(answer.url, `${server.url}/docs/api`)
    const page = await answer.text()
    const links = [...page.matchAll(/(?:src|href|data-viewer)="([^"]+)"/g)].map(([, link = '']) => link)
    assert.ok(links.some((link) => link.endsWith('/standalone.esm.js')))
    assert.ok(links.length >= 4)
    for (const link of [...links, '/openapi.json', '/asyncapi.json']) {
      assert.ok(link.startsWith('/'), link)
      const response = await fetch(`${server.url}${link}`)
      assert.equal(response.status, 200, link)
      assert.ok((await response.arrayBuffer()).byteLength > 0)
    }
  })
})
