import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { crc32 } from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import { type ErrorCode, errors, type Identity, limits } from '@millseal/contract'
import { sampleCertificate } from '../../test/certificates.ts'
import { newOwner, type Owner } from '../../test/machines.ts'
import { connectMqtt } from '../../test/mqtt-client.ts'
import { password } from '../../test/people.ts'
import {
  type Answer,
  ask,
  type Asked,
  proxies,
  proxyHost,
  type ReverseProxy,
  startProxy,
} from '../../test/reverse-proxies.ts'
import { freePort } from '../../test/server-process.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { startSilent } from '../../test/silent-server.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'

const mebibyte = 1024 * 1024
/** The signature and the chunk IHDR. */
const headerEnd = 33
/** The name in the TLS handshake is that of the request. */
const wsOptions = { headers: { host: proxyHost }, servername: proxyHost }
const metricsToken = 'for-the-inner-network'

let first: TestServer
let second: TestServer
let secondUrl: string
let owner: Owner
let identity: Identity

before(async () => {
  const environment = {
    MILLSEAL_TRUST_PROXY: '127.0.0.1',
    MILLSEAL_METRICS_TOKEN: metricsToken,
    // Operations with a limit of their own, such as the sign-in, keep it.
    MILLSEAL_RATE_LIMIT: '100000',
  }
  first = await startOwnServer({ environment })
  const { databaseUrl = '', dataDir } = first.config
  const secondPort = await freePort()
  secondUrl = `http://localhost:${secondPort}`
  second = await startOwnServer({
    databaseUrl,
    environment: {
      ...environment,
      MILLSEAL_PUBLIC_URL: first.url,
      MILLSEAL_DATA_DIR: dataDir,
      MILLSEAL_PORT: String(secondPort),
      MILLSEAL_ROLES: 'api,broker',
    },
  })
  owner = await newOwner(first, 'behind-a-proxy')
  identity = await newIdentity(first.client(owner.admin.accessToken), owner.company.id)
})
after(async () => {
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

let next = 1
/** Another address of this machine at each call. */
const addresses = (): string => `127.0.1.${next++}`

const logIn = (proxy: ReverseProxy, asked: Partial<Asked>): Promise<Answer> =>
  ask(proxy, {
    path: '/api/auth/login',
    method: 'POST',
    body: JSON.stringify({ username: owner.admin.username, password }),
    ...asked,
  })

/** A certificate of about this size: its logo has a comment. */
const certificateOf = (bytes: number): string => {
  const certificate = sampleCertificate()
  const { CommercialTransaction } = certificate.Certificate
  const [prefix = '', picture = ''] = CommercialTransaction.A04.split(',')
  const png = Buffer.from(picture, 'base64')
  const comment = Buffer.concat(
    [Buffer.from('tEXtComment\0'), randomBytes((bytes / 16) * 9).toString('base64url')].map((part) =>
      Buffer.from(part),
    ),
  )
  const chunk = Buffer.alloc(comment.length + 8)
  chunk.writeUInt32BE(comment.length - 4)
  comment.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(comment), comment.length + 4)
  CommercialTransaction.A04 = `${prefix},${Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]).toString('base64')}`
  return JSON.stringify(certificate)
}

const notarize = (proxy: ReverseProxy, body: string): Promise<Answer> =>
  ask(proxy, {
    path: `/api/certificates/notarize?mode=test&identity=${identity.id}`,
    method: 'POST',
    headers: { authorization: `Bearer ${owner.admin.accessToken}`, company: owner.company.id },
    body,
  })

const assertProblem = ({ status, text: body }: Answer, code: ErrorCode, path: string): void => {
  assert.equal(status, errors[code].status, body)
  // A proxy knows neither limits nor codes.
  const { timestamp, message, reasons: _reasons, ...others } = JSON.parse(body) as Record<string, unknown>
  assert.ok(Number.isFinite(Date.parse(String(timestamp))), body)
  assert.ok(String(message).startsWith(errors[code].message), body)
  assert.equal(others['name'], errors[code].name)
  assert.equal(others['path'], path)
  assert.deepEqual(Object.keys(others).toSorted(), ['details', 'method', 'name', 'path', 'statusCode'])
}

const missing = await Promise.all(proxies.map((kind) => kind.lacks()))

for (const [at, kind] of proxies.entries()) {
  const skip = missing[at] ?? false
  describe(`two servers behind ${kind.name} with the shipped configuration`, { skip }, () => {
    let proxy: ReverseProxy
    before(async () => {
      proxy = await startProxy(kind, [secondUrl, first.url])
    })
    after(() => proxy[Symbol.asyncDispose]())

    test('redirects to HTTPS', async () => {
      const asked = requestPlain({
        host: '127.0.0.1',
        port: proxy.httpPort,
        path: '/verify?code=1',
        headers: { host: proxyHost },
        agent: false,
      }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      assert.ok([301, 308].includes(answer.statusCode ?? 0))
      const location = new URL(answer.headers.location ?? '')
      assert.equal(location.protocol, 'https:')
      assert.equal(`${location.pathname}${location.search}`, '/verify?code=1')
    })

    test('counts sign-ins per address of the caller, whatever address the caller claims', async () => {
      using _still = first.clock.freeze()
      using _stillToo = second.clock.freeze()
      const perMinute = limits.credentialCallsPerMinute
      const from = addresses()
      const claimed = {
        'x-forwarded-for': '203.0.113.7',
        forwarded: 'for=203.0.113.7',
        'x-real-ip': '203.0.113.7',
      }
      for (let call = 0; call < perMinute; call += 1) {
        const headers = call % 2 === 0 ? {} : claimed
        assert.equal((await logIn(proxy, { from, headers })).status, 201)
      }
      assert.equal((await logIn(proxy, { from })).status, 429)
      assert.equal((await logIn(proxy, { from, headers: claimed })).status, 429)
      assert.equal((await logIn(proxy, { from: addresses() })).status, 201)
    })

    test('notarizes a certificate of 0.9 MiB', async () => {
      const body = certificateOf(0.9 * mebibyte)
      assert.ok(body.length > 0.88 * mebibyte && body.length < mebibyte)
      const accepted = await notarize(proxy, body)
      assert.equal(accepted.status, 201, accepted.text)
      const { jobId } = JSON.parse(accepted.text) as { jobId: string }
      const client = first.client(owner.admin.accessToken)
      const { state, error } = await endedNotarization(client, { company: owner.company.id, jobId })
      assert.equal(state, 'notarized', error)
    })

    test('answers 413 in our words: the server above 3 MiB, the proxy above 11 MiB', async () => {
      for (const size of Array.from({ length: 3 }, () => [3.2 * mebibyte, 11.2 * mebibyte]).flat())
        assertProblem(
          await notarize(proxy, certificateOf(size)),
          'body_too_large',
          '/api/certificates/notarize',
        )
    })

    test('answers every request while one of two servers is stopped', async () => {
      await using half = await startProxy(kind, [`http://localhost:${await freePort()}`, first.url])
      const from = addresses()
      for (let call = 0; call < 5; call += 1) {
        assert.equal((await ask(half, { path: '/api/health' })).status, 200)
        assert.equal((await logIn(half, { from })).status, 201)
      }
    })

    test('answers 503 in our words while no server runs', async () => {
      await using alone = await startProxy(kind, [
        `http://localhost:${await freePort()}`,
        `http://localhost:${await freePort()}`,
      ])
      const answer = await ask(alone, { path: '/api/health?token=secret' })
      assertProblem(answer, 'unavailable', '/api/health')
      assert.equal(answer.headers['retry-after'], '5')
    })

    test('lets operators import schemas of more than 5 MiB', async () => {
      const answer = await ask(proxy, {
        path: '/api/certificates/packs',
        method: 'POST',
        headers: { authorization: `Bearer ${owner.admin.accessToken}` },
        body: 'x'.repeat(6 * mebibyte),
      })
      assert.notEqual(answer.status, 413, answer.text)
    })

    test('serves metrics to nobody, under no name of the address', async () => {
      const headers = { authorization: `Bearer ${metricsToken}` }
      const direct = await fetch(`${first.url}/metrics`, { headers })
      assert.equal(direct.status, 200)
      await direct.body?.cancel()
      for (const path of [
        '/metrics',
        '/metrics/',
        '/api/metrics',
        '/api/km-service/metrics',
        '/%6detrics',
        '//metrics',
      ]) {
        const answer = await ask(proxy, { path, headers })
        assert.equal(answer.status, 404, path)
        assert.ok(!answer.text.includes('millseal_'), path)
      }
      assertProblem(await ask(proxy, { path: '/metrics?token="secret"' }), 'route_unknown', '/metrics')
    })

    test('passes the questions of RabbitMQ to a server, and nothing else', async () => {
      const asked = await fetch(`${proxy.questionsUrl}/broker/auth/user`, { method: 'POST' })
      // These servers have no RabbitMQ, so they refuse it themselves.
      assert.deepEqual([asked.status, asked.headers.get('x-error')], [404, 'route_unknown'])
      const other = await fetch(`${proxy.questionsUrl}/api/health`)
      assert.deepEqual([other.status, other.headers.get('x-error')], [404, null])
      for (const answer of [asked, other]) await answer.body?.cancel()
    })

    test('waits less for a silent server with a question of RabbitMQ than with other requests', async () => {
      await using one = await startSilent()
      await using other = await startSilent()
      await using stuck = await startProxy(kind, [one.url, other.url])
      const over = new AbortController()
      const slow = ask(stuck, {
        path: '/api/auth/login',
        method: 'POST',
        body: '{}',
        signal: over.signal,
      }).then(
        () => 'the request' as const,
        () => 'the request' as const,
      )
      const asked = await Promise.race([
        fetch(`${stuck.questionsUrl}/broker/auth/user`, { method: 'POST' }),
        slow,
      ])
      over.abort()
      await slow
      assert.ok(asked instanceof Response, 'the request was answered first')
      assert.ok(asked.status >= 500, String(asked.status))
      await asked.body?.cancel()
    })

    test('connects MQTT over WebSocket to the process that is the broker', async () => {
      const client = first.client(owner.admin.accessToken)
      const { username, clientIdPrefix, topics } = await client.readBroker({})
      for (let connection = 0; connection < 4; connection += 1) {
        await using connected = await connectMqtt({
          url: `wss://127.0.0.1:${proxy.httpsPort}/ws/mqtt`,
          wsOptions,
          username,
          password: owner.admin.accessToken,
          clientId: `${clientIdPrefix}${kind.name}-${connection}`,
        })
        assert.deepEqual(await connected.subscribe(...topics), [1])
        await client.updateCompany({
          params: { id: owner.company.id },
          body: { name: `Mill ${kind.name} ${connection}` },
        })
        assert.match((await connected.receive(1))[0]?.topic ?? '', /companies\/update_one$/)
      }
    })
  })
}
