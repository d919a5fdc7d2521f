import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually, onceItWorks } from '../../../../test/eventually.ts'
import { asCompany, bookOfGuests, newCompany, say } from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { openAedes, queueLength } from './open-broker.suite.ts'

const guests = bookOfGuests('abcdefgh')
let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

describe('of several brokers on one database', () => {
  test('one serves, and the next takes over sessions and queues when it stops', async () => {
    const company = newCompany(guests)
    const first = await openAedes(database, guests)
    await using second = await openAedes(database, guests)
    assert.equal(second.broker().ports(), undefined)
    await second.broker().check(AbortSignal.timeout(2_000))
    const client = await asCompany(first, company)
    await client.subscribe(company.topic('+'))
    await say(second, company.topic('test'), 'published by the other')
    await client.receive(1)
    await eventually(async () => (await queueLength(database)) === 0, { what: 'it is acknowledged' })
    await first[Symbol.asyncDispose]()
    await client.closed()
    await say(second, company.topic('test'), 'while nobody served')
    await using again = await onceItWorks(() => asCompany(second, company))
    assert.equal(again.connack.sessionPresent, true)
    await again.receive(1)
    assert.equal(again.received[0]?.payload, 'while nobody served')
  })
})

describe('a broker that loses its connection to the database', () => {
  test('lets its clients go and comes back with everything', async () => {
    const company = newCompany(guests)
    await using broker = await openAedes(database, guests)
    await using client = await asCompany(broker, company)
    await client.subscribe(company.topic('+'))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'millseal-broker' and datname = current_database()`.execute(database.query)
    await client.closed()
    await say(broker, company.topic('test'), 'meanwhile')
    await using again = await onceItWorks(() => asCompany(broker, company))
    await again.receive(1)
    assert.equal(again.received[0]?.payload, 'meanwhile')
    await broker.broker().check(AbortSignal.timeout(2_000))
  })
})

describe('a record that changes', () => {
  const notify = (payload: string) =>
    sql`select pg_notify('millseal_holders', ${payload})`.execute(database.query)

  test('has whoever is connected by it looked up again, and nobody else', async () => {
    const [gone, staying] = [newCompany(guests), newCompany(guests)]
    await using broker = await openAedes(database, guests)
    await using leaving = await asCompany(broker, gone)
    await using other = await asCompany(broker, staying)
    guests.turnAway(gone.password)
    guests.turnAway(staying.password)
    await notify(`application:${gone.password}`)
    await leaving.closed()
    assert.equal(other.mqtt.connected, true)
    await notify(`company:${staying.id}`)
    await other.closed()
  })
})
