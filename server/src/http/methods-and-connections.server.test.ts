import assert from 'node:assert/strict'
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { addresses, methodsOf, type Operation, operations } from '@millseal/contract'
import { eventually, generousDeadline } from '../../test/eventually.ts'
import { openPlumbing } from '../../test/plumbing.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { routeUpgrade } from '../lib/upgrade-routes.ts'
import { bind } from './binding.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer({ environment: { MILLSEAL_CONNECTIONS_PER_ADDRESS: '40' } })
})
after(() => server[Symbol.asyncDispose]())

const open = async (url: string, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Everything that the server sends until it closes the connection. */
const exchange = async (url: string, request: string): Promise<string> => {
  const socket = await open(url)
  generousDeadline().addEventListener('abort', () => socket.destroy(new Error('no end')))
  socket.write(request)
  return text(socket)
}

const request = (method: string, path: string, headers = '') =>
  exchange(server.url, `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`)

const errorsLogged = () => server.log.filter((line) => JSON.parse(line).level >= 50)

describe('a method that an address does not have', () => {
  const has = (method: string, methods: readonly string[]) => methods.includes(method)

  test('is 405 with the methods that it has, whatever the method', async () => {
    const [pathOfAll, methods] = ['/api/health', ['GET', 'HEAD', 'OPTIONS']]
    const others = METHODS.filter((method) => method !== 'CONNECT' && !has(method, methods))
    assert.ok(others.includes('QUERY') && others.length > 25)
    for (const method of others) {
      const answer = await request(method, pathOfAll)
      assert.match(answer, /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, OPTIONS\r\n/s, method)
      assert.match(answer, /"name":"MethodNotAllowedException"/)
    }
  })

  test('lists the methods of all operations at the address, and of pages', async () => {
    const id = '0198c0de-0000-7000-8000-000000000001'
    for (const [path, allow] of [
      ['/api/users', 'GET, HEAD, OPTIONS, POST'],
      [`/user-service/users/${id}/`, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
      ['/verify', 'GET, HEAD, OPTIONS'],
      ['/console/anything/below', 'GET, HEAD, OPTIONS'],
      ['/metrics', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await request('QUERY', path)
      assert.match(answer, /^HTTP\/1\.1 405 /, path)
      assert.equal(/\r\nallow: (.*)\r\n/.exec(answer)?.[1], allow, path)
    }
  })

  test('is not answered as if the name in the address were an id', async () => {
    for (const [method, path, allow] of [
      ['PATCH', '/api/users/me', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/user-service/users/me', 'GET, HEAD, OPTIONS'],
      ['GET', '/api/certificates/hash', 'OPTIONS, POST'],
      ['HEAD', '/api/certificates/hash/', 'OPTIONS, POST'],
      ['GET', '/api/certificates/packs/json', 'DELETE, OPTIONS'],
      ['PUT', '/api/certificates/hash', 'OPTIONS, POST'],
    ] as const) {
      const answer = await request(method, path)
      assert.match(answer, /^HTTP\/1\.1 405 /, `${method} ${path}`)
      assert.equal(/\r\nallow: (.*)\r\n/.exec(answer)?.[1], allow, `${method} ${path}`)
    }
    const options = await request('OPTIONS', '/api/users/me')
    assert.match(options, /^HTTP\/1\.1 204 .*\r\nallow: GET, HEAD, OPTIONS\r\n/s)
  })

  test('is 405 for every operation, whatever operation reads an id in its place', async () => {
    const patterns = Map.groupBy(
      Object.values<Operation>(operations).flatMap((operation) =>
        addresses(operation).map((address) => ({ address, methods: methodsOf(operation) })),
      ),
      ({ address }) => address,
    )
    let refused = 0
    for (const [address, own] of patterns) {
      if (address.includes('{')) continue
      const served = own.flatMap(({ methods }) => methods)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (has(method, served) || (method === 'GET' && address === '/auth/login')) continue
        const answer = await request(method, `/api${address}`)
        assert.match(answer, /^HTTP\/1\.1 405 /, `${method} ${address}`)
        refused += 1
      }
    }
    assert.ok(refused > 200, `only ${refused}`)
  })

  test('is 405 too if no HTTP standard knows it; the rest is 400, and nothing is logged as an error', async () => {
    for (const method of ['FOO', 'GETX', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])
      assert.match(
        await request(method, '/api/users?limit=1'),
        /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, OPTIONS, POST\r\n.*"name":"MethodNotAllowedException"/s,
        method,
      )
    assert.match(await request('FOO', '/api/nothing/here'), /^HTTP\/1\.1 400 /)
    assert.match(
      await exchange(server.url, 'FOO bar\r\n\r\n'),
      /^HTTP\/1\.1 400 .*"statusCode":400,"path":"","method":""/s,
    )
    assert.deepEqual(errorsLogged(), [])
  })

  test('is a page for a browser', async () => {
    const answer = await request('DELETE', '/register', 'accept: text/html\r\naccept-language: de\r\n')
    assert.match(answer, /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, OPTIONS, POST\r\n/s)
    assert.match(answer, /Diese Adresse kennt diese HTTP-Methode nicht\./)
  })

  test('is 404 where there is no route, also in the part of another service', async () => {
    for (const path of ['/api/nothing/here', '/km-service/users']) {
      assert.match(await request('QUERY', path), /^HTTP\/1\.1 404 /, path)
    }
  })

  test('is found before the body is read', async () => {
    const body = 'content-type: application/json\r\ncontent-length: 200000\r\n'
    assert.match(await request('POST', '/api/nothing/here', body), /^HTTP\/1\.1 404 /)
    assert.match(await request('PUT', '/api/users', body), /^HTTP\/1\.1 405 /)
  })
})

test('OPTIONS lists the methods of an address', async () => {
  assert.match(
    await request('OPTIONS', '/api/users'),
    /^HTTP\/1\.1 204 .*\r\nallow: GET, HEAD, OPTIONS, POST\r\n/s,
  )
  assert.match(await request('OPTIONS', '/api/nothing/here'), /^HTTP\/1\.1 404 /)
})

describe('connections', () => {
  test('that send no complete headers end after 15 s with 408', async () => {
    const startedMs = performance.now()
    const answers = await Promise.all([
      exchange(server.url, 'GET / HTTP/1.1\r\nhost: x'),
      exchange(server.url, ''),
    ])
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 408 .*"statusCode":408/s)
    assert.ok(performance.now() - startedMs > 12_000)
  })

  test('are limited per address, and an ended one makes room', async () => {
    const sockets = await Promise.all(Array.from({ length: 60 }, () => open(server.url, '127.0.0.9')))
    const alive = () => sockets.filter(({ closed }) => !closed)
    for (const socket of sockets) socket.resume()
    await eventually(async () => alive().length === 40)
    assert.equal((await fetch(`${server.url}/api/health`)).status, 200, 'other addresses are not affected')
    for (const socket of alive()) socket.destroy()
    await eventually(async () => {
      const socket = await open(server.url, '127.0.0.9')
      socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
      return (await text(socket)).startsWith('HTTP/1.1 200')
    })
  })

  test('end after their last answer, also if the client does not close its side', async () => {
    const opened: { count?: () => Promise<number> } = {}
    await using plumbing = await openPlumbing([], {}, ({ server: own }) => {
      opened.count = promisify(own.getConnections.bind(own))
      routeUpgrade(own, '/ws', () => assert.fail('not called'))
    })
    const { hostname: host, port } = new URL(plumbing.url)
    using ending = new DisposableStack()
    const answerTo = async (first: string): Promise<string> => {
      const socket = connect({ host, port: Number(port), allowHalfOpen: true })
      ending.defer(() => socket.destroy())
      socket.write(first)
      return (await text(socket)).slice(0, 'HTTP/1.1 200'.length)
    }
    const incomplete = 'GET / HTTP/1.1\r\nhost: x\r\n'
    const answers = [
      'no HTTP\r\n\r\n',
      `${incomplete}connection: close\r\n\r\n`,
      `${incomplete}connection: close, upgrade\r\nupgrade: websocket\r\n\r\n`,
      incomplete,
    ].map(answerTo)
    assert.deepEqual(
      await Promise.all(answers),
      [400, 404, 404, 408].map((status) => `HTTP/1.1 ${status}`),
    )
    await eventually(async () => (await opened.count?.()) === 0, { what: 'the end of all connections' })
  })

  test('of a trusted proxy are not limited', async () => {
    await using plumbing = await openPlumbing([], { connectionsPerAddress: 1, trustProxy: ['127.0.0.0/8'] })
    const sockets = await Promise.all([1, 2, 3].map(() => open(plumbing.url)))
    for (const socket of sockets)
      socket.write('GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    for (const socket of sockets) assert.match(await text(socket), /^HTTP\/1\.1 /)
  })
})

describe('an upgrade that the server does not speak', () => {
  const upgrade = (protocol: string) =>
    `host: x\r\nconnection: close, Upgrade, HTTP2-Settings\r\nupgrade: ${protocol}\r\nhttp2-settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n`

  test('is ignored: the request is answered as without it', async () => {
    for (const protocol of ['h2c', 'HTTP/3.0, websocket', 'websocket']) {
      const answer = await exchange(server.url, `GET /api/health HTTP/1.1\r\n${upgrade(protocol)}\r\n`)
      assert.match(answer, /^HTTP\/1\.1 200 .*\{/s, protocol)
    }
  })

  test('does not lose the body of the request', async () => {
    const body = '{"username":7}'
    const answer = await exchange(
      server.url,
      `POST /api/users HTTP/1.1\r\n${upgrade('h2c')}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(answer, /^HTTP\/1\.1 400 .*\/username/s)
  })

  test('as a WebSocket at another address is an error like every other', async () => {
    const answer = await exchange(server.url, `GET /api/nothing HTTP/1.1\r\n${upgrade('websocket')}\r\n`)
    assert.match(answer, /^HTTP\/1\.1 404 .*"statusCode":404/s)
  })
})

test('a body that arrives too slowly is 408, and the connection closes', async () => {
  await using plumbing = await openPlumbing(
    [bind(operations.registerUser, async () => assert.fail('not called'))],
    {
      answerWithinMs: 100,
    },
  )
  const answer = await exchange(
    plumbing.url,
    'POST /api/users HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{',
  )
  assert.match(answer, /^HTTP\/1\.1 408 .*connection: close.*"statusCode":408/is)
})

test('a client that disconnects is no error in the log', async () => {
  const disconnected = () => server.log.filter((line) => line.includes('the client disconnected')).length
  for (const [path, type] of [
    ['/api/users', 'application/json'],
    ['/api/certificates/verify-file?mode=test', 'multipart/form-data; boundary=b'],
    ['/register', 'application/x-www-form-urlencoded'],
  ] as const) {
    const socket = await open(server.url)
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\nexpect: 100-continue\r\n\r\n`,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 100 /)
    socket.resetAndDestroy()
  }
  await eventually(() => disconnected() > 0)
  assert.deepEqual(errorsLogged(), [])
})
