import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { refusalOf } from '../../../../test/mqtt-client.ts'
import {
  asCompany,
  bookOfGuests,
  credentialsOf,
  newCompany,
  say,
} from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type AedesUnderTest, allRouted, openAedes } from './open-broker.suite.ts'

const guests = bookOfGuests('abcdefgh')
let database: Database
let broker: AedesUnderTest
before(async () => {
  database = await openTestDatabase()
  broker = await openAedes(database, guests)
})
after(async () => {
  await broker[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('one client id', () => {
  test('of free form belongs to whoever uses it: another company has another session of that name', async () => {
    const [one, other] = [newCompany(guests), newCompany(guests)]
    const clientId = 'erp'
    await using client = await asCompany(broker, one, { clientId })
    await client.subscribe(one.topic('+'))
    await using stranger = await asCompany(broker, other, { clientId })
    assert.equal(stranger.connack.sessionPresent, false)
    await say(broker, one.topic('test'), 'for one')
    await client.receive(1)
    assert.equal(client.mqtt.connected, true)
    assert.deepEqual(stranger.received, [])
  })

  test('has one connection: the newer takes the place of the older, and its session', async () => {
    const company = newCompany(guests)
    await using older = await asCompany(broker, company)
    await older.subscribe(company.topic('+'))
    await using newer = await asCompany(broker, company)
    await older.closed()
    assert.equal(newer.connack.sessionPresent, true)
    await say(broker, company.topic('test'), 'to the newer')
    await newer.receive(1)
    assert.deepEqual(older.received, [])
  })

  test('is needed: an empty one, or one too long, is refused', async () => {
    const company = newCompany(guests)
    for (const clientId of ['', 'x'.repeat(129)]) {
      assert.notEqual(await refusalOf(credentialsOf(broker, company, { clientId, clean: true })), 'let in')
    }
  })
})

describe('the wildcard * for the mode', () => {
  test('brings messages under a topic that says *, as its clients compare them; + under the concrete one', async () => {
    const company = newCompany(guests)
    await using client = await asCompany(broker, company)
    await client.subscribe(company.topic('*'), company.topic('+'), company.topic('test'))
    await say(broker, company.topic('test'), 'both')
    await client.receive(2)
    await say(broker, company.topic('test'), 'end')
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

  test('never brings the mode that the token is not for', async () => {
    const company = newCompany(guests)
    await using client = await asCompany(broker, company)
    await client.subscribe(company.topic('*'), company.topic('+'))
    await say(broker, company.topic('live'), 'live')
    await say(broker, company.topic('test'), 'test')
    await client.receive(2)
    assert.deepEqual([...new Set(client.received.map(({ payload }) => payload))], ['test'])
  })
})

describe('a connection', () => {
  test('ends with its token', async () => {
    const company = newCompany(guests, { untilMs: broker.clock.now() + 3_600_000 })
    await using client = await asCompany(broker, company)
    broker.clock.advance({ minutes: 59 })
    await client.subscribe(company.topic('+'))
    broker.clock.advance({ minutes: 2 })
    await client.closed()
  })

  test('of a clean session is told what happens while it is there, and no more', async () => {
    const company = newCompany(guests)
    const first = await asCompany(broker, company, { clean: true })
    await first.subscribe(company.topic('+'))
    await say(broker, company.topic('test'), 'there')
    await first.receive(1)
    await first[Symbol.asyncDispose]()
    await say(broker, company.topic('test'), 'away')
    await allRouted(database)
    await using second = await asCompany(broker, company, { clean: true })
    await second.subscribe(company.topic('+'))
    await say(broker, company.topic('test'), 'back')
    await second.receive(1)
    assert.equal(second.received[0]?.payload, 'back')
  })

  test('with QoS 0 is told at most once, and nothing is kept', async () => {
    const company = newCompany(guests)
    const first = await asCompany(broker, company, { qos: 0 })
    assert.deepEqual(await first.subscribe(company.topic('+')), [0])
    await say(broker, company.topic('test'), 'there')
    assert.equal((await first.receive(1))[0]?.qos, 0)
    await first[Symbol.asyncDispose]()
    await say(broker, company.topic('test'), 'away')
    await allRouted(database)
    await using second = await asCompany(broker, company)
    await second.subscribe(company.topic('+'))
    await say(broker, company.topic('test'), 'back')
    await second.receive(1)
    assert.equal(second.received[0]?.payload, 'back')
  })

  test('in another version of MQTT is told that it is not spoken here', async () => {
    const company = newCompany(guests)
    assert.equal(await refusalOf(credentialsOf(broker, company, { protocolVersion: 5 })), 1)
  })

  test('that says nothing is closed', { timeout: 20_000 }, async () => {
    const socket = connect(Number(new URL(broker.url()).port), '127.0.0.1')
    socket.resume()
    await once(socket, 'close')
  })

  test('has at most a hundred subscriptions', async () => {
    const id = randomUUID()
    guests.let('collector', {
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
    const granted: number[] = []
    for (const filter of filters) granted.push(...(await client.subscribe(filter).catch(() => [128])))
    assert.deepEqual(granted, [...Array.from({ length: 100 }, () => 1), 128])
  })
})
