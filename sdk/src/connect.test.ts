import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { ApiError, connect, NotarizationFailed, NotarizationPending, readEvent } from './index.ts'

type Received = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Reply =
  | 'hang up'
  | { readonly status: number; readonly body?: object; readonly headers?: Record<string, string> }

/** A server that answers with a function and records the requests. */
const serve = async (answer: (received: Received, count: number) => Reply) => {
  const received: Received[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: await text(request) }
    received.push(one)
    const reply = answer(one, received.length)
    if (reply === 'hang up') {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(JSON.stringify(reply.body ?? {}))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    received,
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const tokenUntil = (expiresAtMs: number, mark: string): string =>
  ['{}', JSON.stringify({ exp: Math.floor(expiresAtMs / 1_000), mark }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

const credentials = { clientId: 'client-1', clientSecret: 'mss_secret' }
const hour = 3_600_000
const list = { query: { mode: 'test' } } as const

describe('tokens', () => {
  test('are requested once for many calls, and never sent to public operations', async () => {
    const token = tokenUntil(Date.now() + hour, 'first')
    using server = await serve(({ url }) =>
      url === '/api/tokens' ? { status: 201, body: { accessToken: token } } : { status: 200, body: [] },
    )
    const client = connect({ baseUrl: server.baseUrl, credentials, company: 'company-1' })
    await Promise.all([client.listIdentities(list), client.listIdentities(list), client.listHooks()])
    await client.listCertificateSchemas()
    const asked = server.received.filter(({ url }) => url === '/api/tokens')
    assert.equal(asked.length, 1)
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), credentials)
    const calls = server.received.filter(({ url }) => url !== '/api/tokens')
    assert.deepEqual(
      calls.map(({ url, headers }) => [url.split('?')[0], headers['authorization'], headers['company']]),
      [
        ...calls.slice(0, 3).map(({ url }) => [url.split('?')[0], `Bearer ${token}`, 'company-1']),
        ['/api/certificates/schemas', undefined, undefined],
      ],
    )
  })

  test('are renewed before they expire, and once more if the service rejects them', async () => {
    const tokens = [
      tokenUntil(Date.now() + 5_000, 'ending'),
      tokenUntil(Date.now() + hour, 'revoked'),
      tokenUntil(Date.now() + hour, 'good'),
    ]
    let given = 0
    using server = await serve(({ url, headers }) => {
      if (url === '/api/tokens') return { status: 201, body: { accessToken: tokens[given++] } }
      return headers['authorization'] === `Bearer ${tokens[2]}` ? { status: 200, body: [] } : { status: 401 }
    })
    const client = connect({ baseUrl: server.baseUrl, credentials })
    const both = await Promise.all([client.listHooks(), client.listHooks()])
    assert.deepEqual(both, [[], []])
    assert.equal(given, 3)
    assert.ok(server.received.every(({ headers }) => headers['authorization'] !== `Bearer ${tokens[0]}`))
  })

  test('that the service keeps rejecting give status 401, as wrong credentials do', async () => {
    // Created once, because a token of another second would differ.
    const same = tokenUntil(Date.now() + hour, 'same')
    using server = await serve(({ url }) =>
      url === '/api/tokens'
        ? { status: 201, body: { accessToken: same } }
        : { status: 401, body: { message: 'No' } },
    )
    const client = connect({ baseUrl: server.baseUrl, credentials })
    await assert.rejects(client.listHooks(), (error) => error instanceof ApiError && error.status === 401)
    assert.equal(server.received.length, 3)
    using closed = await serve(() => ({ status: 401, body: { message: 'The credentials are wrong' } }))
    await assert.rejects(
      connect({ baseUrl: closed.baseUrl, credentials }).listHooks(),
      /credentials are wrong/,
    )
  })
})

describe('patience', () => {
  const quick = { attempts: 4, waitMs: 5_000 }

  test('waits as long as a rate limit says, also with a call that is not repeatable', async () => {
    using server = await serve((_call, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200, body: { id: 'x' } },
    )
    const startedMs = performance.now()
    await connect({ baseUrl: server.baseUrl, accessToken: 'token' }).updateUser({
      params: { id: 'x' },
      body: {},
    })
    assert.ok(performance.now() - startedMs >= 990)
    assert.equal(server.received.length, 2)
  })

  test('gives up with the error of the service if the wait would be too long', async () => {
    using server = await serve(() => ({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { message: 'Slow' },
    }))
    await assert.rejects(
      connect({ baseUrl: server.baseUrl, patience: quick }).listCertificateSchemas(),
      (error) => error instanceof ApiError && error.retryAfterSeconds === 60,
    )
    assert.equal(server.received.length, 1)
  })

  test('ends immediately if the call is aborted', async () => {
    using server = await serve(() => ({ status: 429, headers: { 'retry-after': '86400' } }))
    const abort = new AbortController()
    // Without the signal it would wait for a day.
    const patience = { attempts: 4, waitMs: Number.POSITIVE_INFINITY }
    const client = connect({ baseUrl: server.baseUrl, patience })
    const call = client.listCertificateSchemas({ signal: abort.signal })
    while (server.received.length === 0) await new Promise(setImmediate)
    abort.abort()
    await assert.rejects(call, { name: 'AbortError' })
  })

  test('retries a POST with the same key, and uses a new key for each call', async () => {
    using server = await serve((_call, count) => {
      if (count === 1) return 'hang up'
      if (count === 2) return { status: 503, headers: { 'retry-after': '0' } }
      return count === 3
        ? { status: 409, headers: { 'retry-after': '0' } }
        : { status: 201, body: { id: 'wallet-1' } }
    })
    const client = connect({ baseUrl: server.baseUrl, accessToken: 'token', patience: quick })
    const wallet = { ...list, company: 'company-1', body: { name: 'Furnace' } }
    assert.equal((await client.createWallet(wallet)).id, 'wallet-1')
    await client.createWallet(wallet)
    const keys = server.received.map(({ headers }) => headers['idempotency-key'])
    assert.equal(new Set(keys.slice(0, 4)).size, 1)
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.notEqual(keys[4], keys[0])
    assert.ok(server.received.every(({ body }) => body === '{"name":"Furnace"}'))
  })

  test('does not retry a call without a key that may have had an effect', async () => {
    using server = await serve(() => 'hang up')
    const client = connect({ baseUrl: server.baseUrl, accessToken: 'token', patience: quick })
    await assert.rejects(client.deleteHook({ params: { id: 'x' }, company: 'company-1' }), TypeError)
    assert.equal(server.received.length, 1)
    await assert.rejects(client.listHooks({ company: 'company-1' }), TypeError)
    assert.equal(server.received.length, 1 + quick.attempts)
  })
})

describe('a document', () => {
  test('is sent as the body, or as a form if it has a name or fields', async () => {
    using server = await serve(() => ({ status: 200, body: {} }))
    const client = connect({ baseUrl: server.baseUrl, accessToken: 'token' })
    const plain = new Blob(['{"a": 1}'], { type: 'application/json' })
    await client.verifyCertificate({ ...list, document: plain })
    await client.verifyCertificate({
      ...list,
      document: new File([plain], 'mine.json', { type: plain.type }),
    })
    await client.hashFile({ document: plain, fields: { encoding: 'base64' } })
    const [raw, named, fielded] = server.received
    assert.equal(raw?.headers['content-type'], 'application/json')
    assert.equal(raw?.body, '{"a": 1}')
    assert.match(named?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/)
    assert.match(
      named?.body ?? '',
      /name="file"; filename="mine\.json"\r\nContent-Type: application\/json\r\n\r\n\{"a": 1\}/,
    )
    assert.match(fielded?.body ?? '', /name="encoding"\r\n\r\nbase64/)
  })
})

describe('waiting for a notarization', () => {
  const notarizationOf = (states: readonly string[]) =>
    serve((_call, count) => ({
      status: 200,
      body: { id: 'c-1', state: states[Math.min(count, states.length) - 1], error: 'the ledger said no' },
    }))

  test('resolves with the certificate, and reports each poll', async () => {
    using server = await notarizationOf(['accepted', 'running', 'notarized'])
    const seen: string[] = []
    const done = await connect({ baseUrl: server.baseUrl, accessToken: 't' }).waitForNotarization({
      id: 'c-1',
      onProgress: ({ state }) => seen.push(state),
    })
    assert.equal(done.state, 'notarized')
    assert.deepEqual(seen, ['accepted', 'running', 'notarized'])
    assert.equal(server.received[0]?.url, '/api/certificates/c-1')
  })

  test('rejects with the reason of a failure, and after the timeout', async () => {
    using failed = await notarizationOf(['failed'])
    await assert.rejects(
      connect({ baseUrl: failed.baseUrl, accessToken: 't' }).waitForNotarization({ id: 'c-1' }),
      (error) => error instanceof NotarizationFailed && error.message === 'the ledger said no',
    )
    using slow = await notarizationOf(['running'])
    await assert.rejects(
      connect({ baseUrl: slow.baseUrl, accessToken: 't' }).waitForNotarization({ id: 'c-1', timeoutMs: 10 }),
      NotarizationPending,
    )
  })
})

describe('an event of the broker', () => {
  test('is read from its topic; unknown topics give undefined', () => {
    const event = readEvent('company/c-1/test/certificates/notarize_one', '{"RefSchemaUrl":"x"}')
    assert.deepEqual(event, {
      resource: 'certificates',
      action: 'notarize_one',
      mode: 'test',
      owner: 'company',
      ownerId: 'c-1',
      payload: { RefSchemaUrl: 'x' },
    })
    for (const topic of [
      'company/c-1/test/certificates',
      'company/c-1/test/certificates/melt_one',
      'company/c-1/mixed/wallets/create_one',
      'somebody/c-1/test/wallets/create_one',
      'company/c-1/test/wallets/create_one/more',
    ]) {
      assert.equal(readEvent(topic, '{}'), undefined, topic)
    }
  })
})
