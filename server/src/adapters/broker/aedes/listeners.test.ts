import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { openTestDatabase } from '../../../../test/database.ts'
import { onceItWorks } from '../../../../test/eventually.ts'
import { refusalOf } from '../../../../test/mqtt-client.ts'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import {
  asCompany,
  createTestAuthenticator,
  credentialsOf,
  newCompany,
  publishText,
} from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { ensureCertificate } from './ensure-certificate.ts'
import { openAedes } from './open-broker.suite.ts'
import { makeSelfSigned } from './self-signed.ts'

const authenticator = createTestAuthenticator('abcdefgh')
let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const host = '127.0.0.1'
const plain = { host, port: 0 }

const portOf = (server: { address(): unknown }): number => {
  const address = server.address()
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('no port')
  return Number(address.port)
}

const flood = (port: number, first: Buffer): Socket => {
  const socket = connect(port, host)
  const more = Buffer.alloc(64 * 1024)
  const push = (): void => {
    while (!socket.destroyed && socket.write(more));
  }
  socket.on('connect', () => {
    socket.write(first)
    push()
  })
  socket.on('drain', push)
  socket.on('error', () => socket.destroy())
  return socket
}

describe('the listener without encryption', () => {
  test('closes on 20 packets announced as 256 MiB, at less than 10 MB', async () => {
    await using broker = await openAedes(database, authenticator)
    const port = Number(new URL(broker.url()).port)
    const connectOf256MiB = Buffer.concat([
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0x00, 0x04]),
      Buffer.from('MQTT'),
      Buffer.from([0x04, 0xc2, 0x00, 0x3c]),
    ])
    globalThis.gc?.()
    const atFirst = process.memoryUsage().rss
    const sockets = Array.from({ length: 20 }, () => flood(port, connectOf256MiB))
    await Promise.all(sockets.map((socket) => new Promise((closed) => socket.once('close', closed))))
    const grown = (process.memoryUsage().rss - atFirst) / 1_000_000
    assert.ok(grown < 10, `${grown.toFixed(1)} MB`)
    await using client = await asCompany(broker, newCompany(authenticator))
    assert.ok(client.mqtt.connected)
  })

  test('closes on a packet that is too long from an authenticated client', async () => {
    await using broker = await openAedes(database, authenticator)
    const company = newCompany(authenticator)
    await using client = await asCompany(broker, company)
    client.mqtt.stream.write(Buffer.from([0x82, 0x81, 0x80, 0x80, 0x01]))
    await client.closed()
  })

  test('closes on input that is not MQTT', async () => {
    await using broker = await openAedes(database, authenticator)
    const port = Number(new URL(broker.url()).port)
    for (const said of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\u0000\u0000\u0000', '\u00c0\u0000']) {
      const socket = connect(port, host)
      socket.on('error', () => {})
      socket.resume()
      socket.write(Buffer.from(said, 'latin1'))
      await once(socket, 'close')
    }
  })

  test('limits connections per address, and accepts a new one when one closes', async () => {
    await using broker = await openAedes(database, authenticator, { limits: { total: 10, perAddress: 2 } })
    const company = newCompany(authenticator)
    const at = (clientId: string) => asCompany(broker, company, { clientId })
    const first = await at('1')
    await using _second = await at('2')
    assert.equal(await refusalOf(credentialsOf(broker, company, { clientId: '3' })), 'closed')
    const gone = once(first.mqtt.stream, 'close')
    await first[Symbol.asyncDispose]()
    await gone
    await using third = await onceItWorks(() => at('3'))
    assert.ok(third.mqtt.connected)
  })

  test('names a port that is in use and its setting in one line', async () => {
    const occupant = createTcpServer().listen(0, host)
    await once(occupant, 'listening')
    const port = portOf(occupant)
    try {
      await assert.rejects(
        openAedes(database, authenticator, { listen: { plain: { host, port }, tls: undefined } }),
        {
          message: `Port ${port} on ${host} is in use: stop the program that uses it, or set MILLSEAL_MQTT_PORT to another port or to off`,
        },
      )
    } finally {
      occupant.close()
    }
  })
})

describe('the listener with encryption', () => {
  test('works with a self-signed certificate', async () => {
    await using folder = await makeTemporaryFolder()
    const made = await ensureCertificate({ folder: folder.path, names: ['localhost', host], now: new Date() })
    await using broker = await openAedes(database, authenticator, {
      listen: { plain, tls: { host, port: 0, ...made } },
    })
    const port = broker.broker().ports()?.tlsPort
    const company = newCompany(authenticator)
    await using client = await asCompany(broker, company, { url: `mqtts://localhost:${port}` })
    await client.subscribe(company.topic('+'))
    await publishText(broker, company.topic('test'), 'encrypted')
    assert.equal((await client.receive(1))[0]?.payload, 'encrypted')
    const socket = connectTls({
      host: 'localhost',
      port: Number(port),
      ca: made.certificate,
      servername: 'localhost',
    })
    await once(socket, 'secureConnect')
    assert.equal(socket.authorized, true)
    socket.destroy()
  })

  test('keeps its certificate until it nearly expires or its names change', async () => {
    await using folder = await makeTemporaryFolder()
    const now = new Date()
    const ensure = async (names: readonly string[], at: Date) =>
      (await ensureCertificate({ folder: folder.path, names, now: at })).certificate
    const first = await ensure(['localhost'], now)
    assert.equal(await ensure(['localhost'], now), first)
    const second = await ensure(['localhost', 'mill.example.com'], now)
    assert.notEqual(second, first)
    assert.notEqual(await ensure(['localhost'], new Date(now.getTime() + 3_640 * 86_400_000)), second)
  })

  test('has a certificate that follows RFC 5280', () => {
    const now = new Date('2049-06-01T00:00:00Z')
    const { certificate, key } = makeSelfSigned(['localhost', '10.1.2.3'], now)
    const read = new X509Certificate(certificate)
    assert.equal(read.subjectAltName, 'DNS:localhost, IP Address:10.1.2.3')
    assert.equal(read.validToDate.toISOString(), '2059-06-01T00:00:00.000Z')
    assert.equal(read.ca, false)
    assert.ok(read.verify(read.publicKey))
    assert.match(key, /^-----BEGIN PRIVATE KEY-----/)
  })
})

describe('the listener for WebSockets', () => {
  test('serves the subprotocol mqtt at /ws/mqtt', async () => {
    await using broker = await openAedes(database, authenticator)
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    broker.broker().mount(server)
    const url = `ws://${host}:${portOf(server)}`
    try {
      const company = newCompany(authenticator)
      await using client = await asCompany(broker, company, { url: `${url}/ws/mqtt` })
      await client.subscribe(company.topic('+'))
      await publishText(broker, company.topic('test'), 'framed')
      assert.equal((await client.receive(1))[0]?.payload, 'framed')
      assert.equal(await refusalOf(credentialsOf(broker, company, { url: `${url}/ws/other` })), 'closed')
      const bare = new WebSocket(`${url}/ws/mqtt`)
      const [event] = (await once(bare, 'error')) as [Event]
      assert.equal(event.type, 'error')
    } finally {
      server.close()
    }
  })

  test('refuses the upgrade with 503 while another process is the broker', async () => {
    await using _broker = await openAedes(database, authenticator)
    await using standby = await openAedes(database, authenticator)
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    standby.broker().mount(server)
    try {
      const asked = request({
        host,
        port: portOf(server),
        path: '/ws/mqtt',
        headers: {
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-protocol': 'mqtt',
          'sec-websocket-version': '13',
          'sec-websocket-key': randomBytes(16).toString('base64'),
        },
      })
      asked.on('upgrade', (_answer, socket) => socket.destroy()).end()
      const [answer] = (await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])) as [
        IncomingMessage,
      ]
      assert.equal(answer.statusCode, 503)
      answer.resume()
    } finally {
      server.close()
    }
  })

  test('closes on a frame that is too long', async () => {
    await using broker = await openAedes(database, authenticator)
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    broker.broker().mount(server)
    try {
      const socket = new WebSocket(`ws://${host}:${portOf(server)}/ws/mqtt`, 'mqtt')
      await once(socket, 'open')
      socket.send(Buffer.alloc(64 * 1024))
      const [event] = (await once(socket, 'close')) as [CloseEvent]
      assert.equal(event.code, 1009)
    } finally {
      server.close()
    }
  })
})
