import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { refusalOf } from '../../../../test/mqtt-client.ts'
import {
  asCompany,
  createTestAuthenticator,
  credentialsOf,
  newCompany,
  publishText,
} from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type AedesUnderTest, allRouted, openAedes } from './open-broker.suite.ts'

const authenticator = createTestAuthenticator('abcdefgh')
let database: Database
let broker: AedesUnderTest
before(async () => {
  database = await openTestDatabase()
  broker = await openAedes(database, authenticator)
})
after(async () => {
  await broker[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('a client id', () => {
  test('in free form belongs to its owner: another company has another session of that name', async () => {
    const [one, other] = [newCompany(authenticator), newCompany(authenticator)]
    const clientId = 'erp'
    await using client = await asCompany(broker, one, { clientId })
    await client.subscribe(one.topic('+'))
    await using stranger = await asCompany(broker, other, { clientId })
    assert.equal(stranger.connack.sessionPresent, false)
    await publishText(broker, one.topic('test'), 'for one')
    await client.receive(1)
    assert.equal(client.mqtt.connected, true)
    assert.deepEqual(stranger.received, [])
  })

  test('has one connection: a newer one takes over the session of the older one', async () => {
    const company = newCompany(authenticator)
    await using older = await asCompany(broker, company)
    await older.subscribe(company.topic('+'))
    await using newer = await asCompany(broker, company)
    await older.closed()
    assert.equal(newer.connack.sessionPresent, true)
    await publishText(broker, company.topic('test'), 'to the newer')
    await newer.receive(1)
    assert.deepEqual(older.received, [])
  })

  test('is refused if it is empty or too long', async () => {
    const company = newCompany(authenticator)
    for (const clientId of ['', 'x'.repeat(129)]) {
      assert.notEqual(await refusalOf(credentialsOf(broker, company, { clientId, clean: true })), 'let in')
    }
  })
})

describe('the wildcard * for the mode', () => {
  test('delivers messages under a topic that contains *, while + delivers them under the concrete topic', async () => {
    const company = newCompany(authenticator)
    await using client = await asCompany(broker, company)
    await client.subscribe(company.topic('*'), company.topic('+'), company.topic('test'))
    await publishText(broker, company.topic('test'), 'both')
    await client.receive(2)
    await publishText(broker, company.topic('test'), 'end')
    await client.receive(4)
    assert.deepEqual(
      client.received.map(({ topic, payload }) => [topic, payload]),
      [
        [company.topic('test'), 'both'],
        [company.topic('*'), 'both'],
        [company.topic('test'), 'end'],
        [company.topic('*'), 'end'],
      ],
    )
  })

  test('never delivers events of a mode that the token does not cover', async () => {
    const company = newCompany(authenticator)
    await using client = await asCompany(broker, company)
    await client.subscribe(company.topic('*'), company.topic('+'))
    await publishText(broker, company.topic('live'), 'live')
    await publishText(broker, company.topic('test'), 'test')
    await client.receive(2)
    assert.deepEqual([...new Set(client.received.map(({ payload }) => payload))], ['test'])
  })
})

describe('a connection', () => {
  test('stays if its keep-alive arrived while the process of the broker was stopped', async () => {
    const company = newCompany(authenticator)
    await using client = await asCompany(broker, company, { keepalive: 1 })
    await client.subscribe(company.topic('+'))
    // Longer than one and a half times its keep-alive; a longer stop changes nothing.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
    await publishText(broker, company.topic('test'), 'after the stop')
    await client.receive(1)
    assert.equal(client.mqtt.connected, true)
  })

  test('ends if its client does not introduce itself', async () => {
    const socket = connect(Number(new URL(broker.url()).port), '127.0.0.1')
    await once(socket.resume(), 'close')
  })

  test('is closed when its token expires', async () => {
    const company = newCompany(authenticator, { untilMs: broker.clock.now() + 3_600_000 })
    await using client = await asCompany(broker, company)
    broker.clock.advance({ minutes: 59 })
    await client.subscribe(company.topic('+'))
    broker.clock.advance({ minutes: 2 })
    await client.closed()
  })

  test('of a clean session receives only messages published while it is connected', async () => {
    const company = newCompany(authenticator)
    const first = await asCompany(broker, company, { clean: true })
    await first.subscribe(company.topic('+'))
    await publishText(broker, company.topic('test'), 'there')
    await first.receive(1)
    await first[Symbol.asyncDispose]()
    await publishText(broker, company.topic('test'), 'away')
    await allRouted(database)
    await using second = await asCompany(broker, company, { clean: true })
    await second.subscribe(company.topic('+'))
    await publishText(broker, company.topic('test'), 'back')
    await second.receive(1)
    assert.equal(second.received[0]?.payload, 'back')
  })

  test('with QoS 0 receives a message at most once, and nothing is stored', async () => {
    const company = newCompany(authenticator)
    const first = await asCompany(broker, company, { qos: 0 })
    assert.deepEqual(await first.subscribe(company.topic('+')), [0])
    await publishText(broker, company.topic('test'), 'there')
    assert.equal((await first.receive(1))[0]?.qos, 0)
    await first[Symbol.asyncDispose]()
    await publishText(broker, company.topic('test'), 'away')
    await allRouted(database)
    await using second = await asCompany(broker, company)
    await second.subscribe(company.topic('+'))
    await publishText(broker, company.topic('test'), 'back')
    await second.receive(1)
    assert.equal(second.received[0]?.payload, 'back')
  })

  test('receives messages of every size as they are', async () => {
    const company = newCompany(authenticator)
    const topic = company.topic('test')
    await using client = await asCompany(broker, company)
    await using simple = await asCompany(broker, company, { clientId: `${company.id}-0`, qos: 0 })
    for (const each of [client, simple]) await each.subscribe(company.topic('+'))
    // Where the length of a packet takes one digit more: with topic and id, one byte less and exactly.
    const sizes = [128, 16_384, 2_097_152].flatMap((length) =>
      [5, 4].map((more) => length - topic.length - more),
    )
    const texts = [0, ...sizes].map((size) => 'x'.repeat(size))
    for (const text of texts) await publishText(broker, topic, text)
    for (const each of [client, simple]) {
      const received = await each.receive(texts.length)
      assert.deepEqual(
        received.map(({ payload }) => payload.length),
        texts.map(({ length }) => length),
      )
      assert.ok(received.every(({ payload }, at) => payload === texts[at]))
    }
  })

  test('that answers with packets of quality 2 disturbs nobody', async () => {
    const company = newCompany(authenticator)
    await using odd = await asCompany(broker, company)
    await using client = await asCompany(broker, newCompany(authenticator))
    const [pubrec, pubcomp] = [0x50, 0x70].map((first) => Buffer.from([first, 0x02, 0x00, 0x01]))
    odd.mqtt.stream.write(Buffer.concat([pubrec ?? Buffer.alloc(0), pubcomp ?? Buffer.alloc(0)]))
    await odd.subscribe(company.topic('+'))
    assert.ok(client.mqtt.connected)
  })

  test('that does not read is closed once a thousand messages wait for it', async () => {
    const company = newCompany(authenticator)
    await using client = await asCompany(broker, company, { clean: true })
    await client.subscribe(company.topic('+'))
    client.mqtt.stream.pause()
    for (let turn = 0; turn < 10; turn += 1) {
      const message = () => ({
        messageId: randomUUID(),
        topic: company.topic('test'),
        payload: Buffer.alloc(20_000),
      })
      await broker.publisher.publish(Array.from({ length: 200 }, message))
      await allRouted(database)
    }
    client.mqtt.stream.resume()
    await client.closed()
    assert.ok(client.received.length < 2_000)
  })

  test('in another version of MQTT is refused with that reason', async () => {
    const company = newCompany(authenticator)
    assert.equal(await refusalOf(credentialsOf(broker, company, { protocolVersion: 5 })), 1)
  })

  test('that sends nothing is closed', async () => {
    const socket = connect(Number(new URL(broker.url()).port), '127.0.0.1')
    socket.resume()
    await once(socket, 'close')
  })

  test('has at most a hundred subscriptions', async () => {
    const id = randomUUID()
    authenticator.grant('collector', {
      owner: { kind: 'user', id },
      untilMs: Number.MAX_SAFE_INTEGER,
      hears: [`user/${id}/#`],
    })
    await using client = await asCompany(
      broker,
      { id, password: 'collector', topic: () => '' },
      { clientId: `user_${id}_` },
    )
    const filters = Array.from({ length: 101 }, (_, index) => `user/${id}/test/${index}`)
    const expected = [...Array.from({ length: 100 }, () => 1), 128]
    assert.deepEqual(await client.subscribe(...filters), expected, 'in one packet')
    await client.mqtt.unsubscribeAsync(filters)
    const granted: number[] = []
    for (const filter of filters) granted.push(...(await client.subscribe(filter).catch(() => [128])))
    assert.deepEqual(granted, expected, 'one after the other')
  })
})
