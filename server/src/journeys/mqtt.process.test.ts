import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { createOutbox } from '../adapters/outbox/outbox-table.ts'
import { noTracer } from '../ports/tracer/tracer.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import { openTestDatabase } from '../../test/database.ts'
import { lacksPackage } from '../../test/debian-package.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'
import { newApplication, newOwner, type Owner, tokenOf } from '../../test/machines.ts'
import { type ConnectOptions, connectMqtt, type TestClient } from '../../test/mqtt-client.ts'
import { freePort, type ServerProcess, startServer } from '../../test/server-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/temporary-folder.ts'

const mosquitto = { name: 'mosquitto-clients', file: '/usr/bin/mosquitto_sub' }
const withoutMosquitto = await lacksPackage(mosquitto)

let port: string
let database: Database
let folder: TemporaryFolder
let owner: Owner
let token: string
let vhost: string

/** The same address every time, because it is the issuer in the tokens. */
const openAgain = (): Promise<TestServer> =>
  startOwnServer({ databaseUrl: addressOf(database), environment: { MILLSEAL_PORT: port } })

before(async () => {
  database = await openTestDatabase()
  folder = await makeTemporaryFolder()
  port = String(await freePort())
  await using server = await openAgain()
  owner = await newOwner(server, 'erp-integrator')
  const scopes = { certificates: { actions: ['notarize_one', 'receive_one'] } }
  token = await tokenOf(server, await newApplication(server, owner, { scopes }))
  vhost = (await server.client(token).readBroker({})).vhost
})
after(async () => {
  await folder[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Connects like the Node-RED flow of the original system. */
const likeNodeRed = (url: string, host: string): ConnectOptions => ({
  url,
  clientId: `company_${owner.company.id}_node-red-(${host})-(linux)-(x64)`,
  username: `${vhost}:${owner.company.id}`,
  password: token,
  clean: false,
  protocolVersion: 4,
})

const filters = () => ({
  notarized: `company/${owner.company.id}/+/certificates/notarize_one`,
  received: `company/${owner.company.id}/*/certificates/receive_one`,
})

const subscribeAndLeave = async (url: string, host: string): Promise<void> => {
  const client = await connectMqtt(likeNodeRed(url, host))
  assert.deepEqual(await client.subscribe(filters().notarized, filters().received), [1, 1])
  await client[Symbol.asyncDispose]()
}

/** Writes what the end of a notarization writes in its transaction. */
const notarized = async (heatNumber: string): Promise<void> => {
  const outbox = createOutbox({ clock: systemClock, tracer: noTracer })
  const { id } = owner.company
  const payload = { RefSchemaUrl: 'https://example.com/en10168.schema.json', Id: heatNumber }
  await database.transaction(async (tx) => {
    for (const action of ['notarize_one', 'receive_one'] as const) {
      await outbox.write(tx, {
        owner: { kind: 'company', id },
        mode: 'test',
        resource: 'certificates',
        action,
        payload,
      })
    }
  })
}

/** A message is queued for a disconnected client. */
const queued = (): Promise<boolean> =>
  eventually(async () => (await sql`select from broker_queue`.execute(database.query)).rows.length > 0, {
    what: 'something is queued',
  })

const heats = (client: TestClient): unknown[] =>
  client.received.map(({ topic, payload }) => [
    topic.split('/').slice(2).join('/'),
    (JSON.parse(payload) as { Id: string }).Id,
  ])

const bothOf = (heatNumber: string): unknown[] => [
  ['test/certificates/notarize_one', heatNumber],
  ['*/certificates/receive_one', heatNumber],
]

describe('a plant behind a firewall', () => {
  test('misses no event while its client and then the server are down', async () => {
    {
      await using server = await openAgain()
      await subscribeAndLeave(server.composed.mqttUrl(), 'mill-1')
      await notarized('H-1')
    }
    await notarized('H-2')
    await using server = await openAgain()
    await using client = await connectMqtt(likeNodeRed(server.composed.mqttUrl(), 'mill-1'))
    assert.equal(client.connack.sessionPresent, true)
    await client.receive(4)
    assert.deepEqual(heats(client), [...bothOf('H-1'), ...bothOf('H-2')])
  })

  test('finds no stored messages after 31 minutes without a connection', async () => {
    await using server = await openAgain()
    await subscribeAndLeave(server.composed.mqttUrl(), 'mill-2')
    await notarized('H-3')
    await queued()
    server.clock.advance({ minutes: 31 })
    await using client = await connectMqtt(likeNodeRed(server.composed.mqttUrl(), 'mill-2'))
    assert.equal(client.connack.sessionPresent, false)
    await client.subscribe(filters().notarized)
    await notarized('H-4')
    await client.receive(1)
    assert.deepEqual(heats(client), [['test/certificates/notarize_one', 'H-4']])
  })
})

const startOnDatabase = (role: string): Promise<ServerProcess> =>
  startServer({
    DATABASE_URL: addressOf(database),
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_PUBLIC_URL: `http://localhost:${port}`,
    MILLSEAL_ROLES: role,
    MILLSEAL_DRAIN_MS: '0',
  })

const connectWhenLetIn = (options: ConnectOptions): Promise<TestClient> =>
  onceItWorks(() => connectMqtt(options), { everyMs: 50 })

describe('two server processes on one database', () => {
  test('are one broker: when it is killed the other takes over, and no message is lost or out of order', async () => {
    await using first = await startOnDatabase('api,worker,broker')
    await using second = await startOnDatabase('api,worker,broker')
    await subscribeAndLeave(first.mqttUrl, 'mill-3')
    await assert.rejects(connectMqtt(likeNodeRed(second.mqttUrl, 'mill-3')), 'the other one waits')
    const numbers = Array.from({ length: 20 }, (_, index) => `K-${index}`)
    for (const number of numbers.slice(0, 10)) await notarized(number)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    for (const number of numbers.slice(10)) await notarized(number)
    await using client = await connectWhenLetIn(likeNodeRed(second.mqttUrl, 'mill-3'))
    await client.receive(40)
    assert.deepEqual(heats(client), numbers.flatMap(bothOf))
  })

  test('deliver a message that either of them publishes', async () => {
    await using broker = await startOnDatabase('api,broker')
    await using client = await connectWhenLetIn(likeNodeRed(broker.mqttUrl, 'mill-4'))
    await client.subscribe(filters().notarized)
    await using _worker = await startOnDatabase('api,worker')
    await notarized('W-1')
    await client.receive(1)
    assert.deepEqual(heats(client), [['test/certificates/notarize_one', 'W-1']])
  })
})

test('mosquitto_sub receives the events it subscribed to', {
  skip: withoutMosquitto,
}, async () => {
  await using server = await openAgain()
  const { port: mqttPort } = new URL(server.composed.mqttUrl())
  const { clientId = '', username = '' } = likeNodeRed('', 'mosquitto')
  const broker = ['-h', '127.0.0.1', '-p', mqttPort, '-i', clientId, '-u', username, '-P', token]
  const subscriber = (...args: string[]) =>
    promisify(execFile)(mosquitto.file, [...broker, '-c', '-q', '1', '-t', filters().notarized, ...args])
  await subscriber('-E')
  await notarized('M-1')
  const { stdout } = await subscriber('-C', '1', '-W', '15', '-F', '%t %p')
  assert.match(stdout, /^company\/[^ ]+\/test\/certificates\/notarize_one .*"M-1"/)
})
