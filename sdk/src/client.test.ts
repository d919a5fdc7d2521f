import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { ApiError, createClient } from './index.ts'

type Received = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that gives a fixed answer and records the requests. */
const listen = async (status: number, answer: string, headers: Record<string, string> = {}) => {
  const received: Received[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request
    received.push({ method, url, headers: request.headers, body: await text(request) })
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answer)
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

describe('the client', () => {
  test('sends path, query, headers and body as the contract declares them', async () => {
    using server = await listen(200, '[]')
    const client = createClient({ baseUrl: `${server.baseUrl}/`, accessToken: 'token-1' })
    await client.listIdentities({ query: { mode: 'test', account: 0 }, company: 'company-1' })
    const [call] = server.received
    assert.equal(call?.method, 'GET')
    assert.equal(call?.url, '/api/identities?mode=test&account=0')
    assert.equal(call?.headers['authorization'], 'Bearer token-1')
    assert.equal(call?.headers['company'], 'company-1')
    assert.equal(call?.headers['x-version'], '1')
  })

  test('escapes path parameters, and sends an idempotency key and JSON', async () => {
    using server = await listen(201, '{}')
    const client = createClient({ baseUrl: server.baseUrl })
    await client.resendConfirmation({ params: { email: 'a/b?c@example.com' } })
    await client.registerUser({
      body: { username: 'a', email: 'b', password: 'c' },
      idempotencyKey: 'key-0001',
    })
    const [resend, register] = server.received
    assert.equal(resend?.url, '/api/users/verify-email/a%2Fb%3Fc%40example.com')
    assert.equal(register?.headers['idempotency-key'], 'key-0001')
    assert.equal(register?.headers['content-type'], 'application/json')
    assert.deepEqual(JSON.parse(register?.body ?? ''), { username: 'a', email: 'b', password: 'c' })
  })

  test('throws an ApiError with the seven fields and the time to wait, also for answers of a proxy', async () => {
    const answer = {
      statusCode: 429,
      path: '/x',
      method: 'GET',
      timestamp: '',
      message: 'Too many',
      name: 'X',
      details: [],
    }
    using limited = await listen(429, JSON.stringify(answer), { 'retry-after': '7' })
    await assert.rejects(createClient({ baseUrl: limited.baseUrl }).readMe(), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.message, error.retryAfterSeconds], [429, 'Too many', 7])
      assert.deepEqual(error.answer, answer)
      return true
    })
    using proxy = await listen(502, '<html>')
    await assert.rejects(
      createClient({ baseUrl: proxy.baseUrl }).readMe(),
      /The service answered with status 502/,
    )
  })

  test('returns the target of a redirect without following it', async () => {
    using server = await listen(302, '', { location: 'https://example.com/welcome' })
    const { location } = await createClient({ baseUrl: server.baseUrl }).confirmEmail({
      query: { token: 'x'.repeat(43) },
    })
    assert.equal(location, 'https://example.com/welcome')
  })
})
