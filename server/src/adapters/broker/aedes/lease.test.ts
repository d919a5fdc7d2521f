import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually, generousDeadline, onceItWorks } from '../../../../test/eventually.ts'
import {
  asCompany,
  createTestAuthenticator,
  credentialsOf,
  newCompany,
  publishText,
} from '../../../ports/broker/broker.suite.ts'
import { refusalOf } from '../../../../test/mqtt-client.ts'
import type { Database } from '../../../ports/database/database.ts'
import { openAedes, queueLength } from './open-broker.suite.ts'

const authenticator = createTestAuthenticator('abcdefgh')
let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

describe('several brokers on one database', () => {
  test('are served by one of them, and the next takes over its sessions and queues when it stops', async () => {
    const company = newCompany(authenticator)
    const first = await openAedes(database, authenticator)
    await using second = await openAedes(database, authenticator)
    assert.equal(second.broker().ports(), undefined)
    await second.broker().check(generousDeadline())
    const client = await asCompany(first, company)
    await client.subscribe(company.topic('+'))
    await publishText(second, company.topic('test'), 'published by the other')
    await client.receive(1)
    await eventually(async () => (await queueLength(database)) === 0, { what: 'it is acknowledged' })
    await first[Symbol.asyncDispose]()
    await client.closed()
    await publishText(second, company.topic('test'), 'while no broker served')
    await using again = await onceItWorks(() => asCompany(second, company))
    assert.equal(again.connack.sessionPresent, true)
    await again.receive(1)
    assert.equal(again.received[0]?.payload, 'while no broker served')
  })
})

describe('a broker that loses its connection to the database', () => {
  test('disconnects its clients and continues with all sessions and messages', async () => {
    const company = newCompany(authenticator)
    await using broker = await openAedes(database, authenticator)
    await using client = await asCompany(broker, company)
    await client.subscribe(company.topic('+'))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'millseal-broker' and datname = current_database()`.execute(database.query)
    await client.closed()
    await publishText(broker, company.topic('test'), 'during the loss')
    await using again = await onceItWorks(() => asCompany(broker, company))
    await again.receive(1)
    assert.equal(again.received[0]?.payload, 'during the loss')
    await broker.broker().check(generousDeadline())
  })
})

describe('a changed record', () => {
  const notify = (payload: string) =>
    sql`select pg_notify('millseal_holders', ${payload})`.execute(database.query)

  test('causes only its own clients to be checked again', async () => {
    const [revoked, staying] = [newCompany(authenticator), newCompany(authenticator)]
    await using broker = await openAedes(database, authenticator)
    await using leaving = await asCompany(broker, revoked)
    await using other = await asCompany(broker, staying)
    authenticator.revoke(revoked.password)
    authenticator.revoke(staying.password)
    await notify(`application:${revoked.password}`)
    await leaving.closed()
    assert.equal(other.mqtt.connected, true)
    await notify(`company:${staying.id}`)
    await other.closed()
  })

  test('causes a client whose session is just being opened to be checked again', async () => {
    const company = newCompany(authenticator)
    await using broker = await openAedes(database, authenticator)
    const isWaiting = async () => {
      const { rows } = await sql`select from pg_stat_activity where application_name = 'millseal-broker'
        and datname = current_database() and wait_event_type = 'Lock'`.execute(database.query)
      return rows.length === 1
    }
    const connecting = await database.transaction(async (tx) => {
      await sql`lock table broker_sessions in share mode`.execute(tx)
      const refused = refusalOf(credentialsOf(broker, company))
      await eventually(isWaiting, { what: 'the broker writes its session' })
      authenticator.revoke(company.password)
      await notify(`application:${company.password}`)
      return { refused }
    })
    assert.equal(await connecting.refused, 'closed')
  })
})
