import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Operation, operations, publicOperations } from '@millseal/contract'
import { inEnglish, type Reason } from '@millseal/contract/reasons'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { generousDeadline } from '../../test/eventually.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const fields = ['statusCode', 'path', 'method', 'timestamp', 'message', 'name', 'details']

const assertSeven = (body: unknown, status: number): Record<string, unknown> => {
  assert.ok(typeof body === 'object' && body !== null)
  const answer = body as Record<string, unknown>
  const { details, reasons = [] } = body as { readonly details: string[]; readonly reasons?: Reason[] }
  assert.deepEqual(Object.keys(answer), details.length === 0 ? fields : [...fields, 'reasons'])
  assert.equal(answer['statusCode'], status)
  assert.deepEqual(reasons.map(inEnglish), details)
  assert.ok(!Number.isNaN(Date.parse(String(answer['timestamp']))))
  return answer
}

const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

const json = (value: unknown) => JSON.stringify(value)

/** Sends raw bytes, which no client library would send. */
const raw = (request: string): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request))
    let text = ''
    generousDeadline().addEventListener('abort', () => reject(new Error('no answer')))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (Buffer.byteLength(body) < length || Number.isNaN(length)) return
      socket.destroy()
      resolve({ status: Number(head.split(' ')[1]), body: JSON.parse(body) })
    })
    socket.on('error', reject)
  })

describe('a malformed request gets a 4xx with the seven fields', () => {
  const user = { username: 'furnace', email: 'furnace@example.com', password: 'long enough 1' }
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const bodies: [name: string, body: string | Uint8Array<ArrayBuffer>, status: number, message: RegExp][] = [
    ['malformed JSON', '{"username": ', 400, /not well-formed JSON/],
    ['an empty body', '', 400, /body must be object|is required/],
    ['a body that is not an object', '[1, 2]', 400, /must be object/],
    ['deeply nested JSON', nested(65), 400, /Deeper than 64/],
    ['very deeply nested JSON', '['.repeat(16_000), 400, /Deeper than 64/],
    ['duplicate keys', '{"username":"a","username":"b"}', 400, /Duplicate key "username"/],
    ['U+0000 in a string', '{"username":"fur\\u0000nace"}', 400, /U\+0000.*\/username/],
    ['a lone surrogate', '{"username":"\\ud800abc"}', 400, /Lone surrogate/],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 400, /UTF-8/],
    [
      'a number that does not fit a double',
      '{"username":12345678901234567890}',
      400,
      /cannot be held exactly/,
    ],
    ['__proto__ as a key', '{"__proto__":{"role":"ADMIN"}}', 400, /__proto__/],
    ['a body over the limit', `"${'x'.repeat(16 * 1024)}"`, 413, /too large/],
    ['a wrong type', json({ ...user, username: 7 }), 400, /\/username must be string/],
    ['a missing field', json({ username: user.username, email: user.email }), 400, /\/password is required/],
    ['a bad address', json({ ...user, email: 'nobody' }), 400, /\/email must match format "email"/],
    [
      'a short name',
      json({ ...user, username: 'abc' }),
      400,
      /\/username must NOT have fewer than 4 characters/,
    ],
  ]
  for (const [name, body, status, message] of bodies) {
    test(name, async () => {
      const response = await post('/api/users', body)
      const answer = assertSeven(await response.json(), status)
      assert.equal(response.status, status)
      assert.match(String(answer['message']), message)
      assert.equal(answer['path'], '/api/users')
      assert.equal(answer['method'], 'POST')
      assert.ok(response.headers.get('x-request-id'))
      assert.match(response.headers.get('content-type') ?? '', /application\/json/)
    })
  }

  test('a body over 16 KiB of any operation that needs no token: 413', async () => {
    const open = Object.values<Operation>(operations).filter(
      ({ id, body }) => publicOperations.includes(id) && (body?.kind === 'json' || body?.kind === 'form'),
    )
    assert.ok(open.length >= 6, String(open.length))
    for (const { id, method, path, body } of open) {
      const type = body?.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
      const headers = { 'content-type': type }
      const answer = await fetch(`${server.url}/api${path}`, {
        method,
        headers,
        body: 'x'.repeat(16 * 1024 + 1),
      })
      assert.equal(answer.status, 413, id)
    }
  })

  test('the error names all invalid fields', async () => {
    const answer = assertSeven(
      await (await post('/api/users', json({ username: 'a b', email: 'x', password: 'y' }))).json(),
      400,
    )
    const details = answer['details'] as string[]
    for (const field of ['/username', '/email', '/password'])
      assert.ok(
        details.some((detail) => detail.startsWith(field)),
        details.join(),
      )
  })

  for (const [name, type] of [
    ['XML', 'application/xml'],
    ['multipart instead of JSON', 'multipart/form-data; boundary=x'],
    ['a form instead of JSON', 'application/x-www-form-urlencoded'],
    ['nonsense', 'nonsense'],
  ] as const) {
    test(`wrong content type: ${name}`, async () => {
      const response = await post('/api/users', 'x', { 'content-type': type })
      assert.match(String(assertSeven(await response.json(), 415)['message']), /Send application\/json/)
    })
  }

  test('unknown routes and routes of another service are 404', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing/here'],
      ['GET', '/api/%2e%2e/etc/passwd'],
      ['POST', '/km-service/users'],
      ['GET', '//api//users/me'],
    ] as const) {
      const response = await fetch(`${server.url}${path}`, { method })
      assert.equal(assertSeven(await response.json(), 404)['name'], 'NotFoundException', path)
    }
  })

  test('an unknown version is 404; version 1 or none works', async () => {
    for (const version of ['2', '0', '01', 'latest', '1.0']) {
      const response = await fetch(`${server.url}/api/health`, { headers: { 'x-version': version } })
      assert.match(String(assertSeven(await response.json(), 404)['message']), /x-version/)
      assert.match(response.headers.get('vary') ?? '', /x-version/)
    }
    for (const headers of [{}, { 'x-version': '1' }]) {
      assert.equal((await fetch(`${server.url}/api/health`, { headers })).status, 200)
    }
  })

  test('malformed and very long URLs', async () => {
    for (const path of [
      '/api/users/%',
      '/api/users/%ff',
      '/api/users/verify-email/a%00b',
      '/api/users/confirm-email?token=%',
    ]) {
      const { status, body } = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      assert.equal(status, 400, path)
      assertSeven(body, 400)
    }
    const { body } = await raw(`GET /api/users/${'x'.repeat(5_000)} HTTP/1.1\r\nhost: x\r\n\r\n`)
    assertSeven(body, 414)
  })

  test('very large headers, and input that is not HTTP', async () => {
    const { status, body } = await raw(
      `GET /api/health HTTP/1.1\r\nhost: x\r\nx-huge: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    assert.equal(status, 431)
    assertSeven(body, 431)
    assertSeven((await raw('this is no HTTP\r\n\r\n')).body, 400)
  })

  test('a query value outside its list is 400', async () => {
    const response = await post('/api/certificates/verify?mode=production', '{}')
    assert.equal(response.status, 400)
  })

  test('none of these requests logs an error', () => {
    assert.deepEqual(
      server.log.filter((line) => JSON.parse(line).level >= 50),
      [],
    )
  })
})
