import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import { machineHears } from '../../../ports/broker/topic-rights.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import {
  asCompany,
  createTestAuthenticator,
  type Company,
  newCompany,
  publishText,
} from '../../../ports/broker/broker.suite.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type AedesUnderTest, allRouted, openAedes, queueLength } from './open-broker.suite.ts'

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

const subscribeAndLeave = async (company: Company, ...filters: string[]): Promise<void> => {
  const client = await asCompany(broker, company)
  await client.subscribe(...filters)
  await client[Symbol.asyncDispose]()
}

describe('a session that outlives its connection', () => {
  for (const [minutes, there] of [
    [29, true],
    [31, false],
  ] as const) {
    test(`is ${there ? 'still there' : 'over'} after ${minutes} minutes`, async () => {
      const company = newCompany(authenticator)
      await subscribeAndLeave(company, company.topic('+'))
      await publishText(broker, company.topic('test'), 'while away')
      await allRouted(database)
      broker.clock.advance({ minutes })
      await using client = await asCompany(broker, company)
      assert.equal(client.connack.sessionPresent, there)
      await client.subscribe(company.topic('+'))
      await publishText(broker, company.topic('test'), 'now')
      await client.receive(there ? 2 : 1)
      assert.deepEqual(
        client.received.map(({ payload }) => payload),
        there ? ['while away', 'now'] : ['now'],
      )
    })
  }

  test('is deleted with its queue when its client does not come back', async () => {
    const company = newCompany(authenticator)
    await subscribeAndLeave(company, company.topic('+'))
    await publishText(broker, company.topic('test'), 'to nobody')
    await eventually(async () => (await queueLength(database)) > 0, { what: 'the message is queued' })
    broker.clock.advance({ minutes: 31 })
    await eventually(async () => (await queueLength(database)) === 0, { what: 'the queue is gone' })
  })

  test('is deleted beyond the newest 200 disconnected sessions of an owner', async () => {
    const company = newCompany(authenticator)
    const leave = async (clientId: string): Promise<void> => {
      await using client = await asCompany(broker, company, { clientId })
      await client.subscribe(company.topic('+'))
    }
    for (let number = 0; number <= limits.brokerSessionsAway; number += 1) {
      await leave(`device-${number}`)
      broker.clock.advance({ seconds: 1 })
    }
    const isKept = async (clientId: string) => {
      await using client = await asCompany(broker, company, { clientId })
      return client.connack.sessionPresent
    }
    const kept = async () =>
      (await sql`select from broker_sessions where owner_id = ${company.id}`.execute(database.query)).rows
        .length
    await eventually(async () => (await kept()) === limits.brokerSessionsAway, { what: 'one is deleted' })
    assert.ok(await isKept(`device-${limits.brokerSessionsAway}`))
    assert.equal(await isKept('device-0'), false)
  })

  test('is deleted by a connection with a clean session', async () => {
    const company = newCompany(authenticator)
    await subscribeAndLeave(company, company.topic('+'))
    await publishText(broker, company.topic('test'), 'while away')
    await (await asCompany(broker, company, { clean: true }))[Symbol.asyncDispose]()
    await using client = await asCompany(broker, company)
    assert.equal(client.connack.sessionPresent, false)
  })

  test('delivers unacknowledged messages again', async () => {
    const company = newCompany(authenticator)
    const first = await asCompany(broker, company, { withholdsAcknowledgements: true })
    await first.subscribe(company.topic('+'))
    await publishText(broker, company.topic('test'), 'unheard')
    await first.receive(1)
    first.mqtt.stream.destroy()
    await first.closed()
    await using second = await asCompany(broker, company)
    assert.equal((await second.receive(1))[0]?.payload, 'unheard')
  })

  test('gets into its queue what its client does not acknowledge, and what another has acknowledged is not repeated', async () => {
    await using own = await openTestDatabase()
    await using restarted = await openAedes(own, authenticator)
    const company = newCompany(authenticator)
    await using prompt = await asCompany(restarted, company, { clientId: `${company.id}-prompt` })
    await using silent = await asCompany(restarted, company, {
      clientId: `${company.id}-silent`,
      withholdsAcknowledgements: true,
    })
    for (const client of [prompt, silent]) await client.subscribe(company.topic('+'))
    await publishText(restarted, company.topic('test'), 'one')
    await Promise.all([prompt.receive(1), silent.receive(1)])
    await eventually(async () => (await queueLength(own)) === 1, {
      what: 'one is queued for the silent client',
    })
    await publishText(restarted, company.topic('test'), 'two')
    await prompt.receive(2)
    await eventually(async () => (await queueLength(own)) === 2, {
      what: 'both are queued for the silent client',
    })
    await restarted.restart()
    await publishText(restarted, company.topic('test'), 'three')
    await using promptAgain = await asCompany(restarted, company, { clientId: `${company.id}-prompt` })
    await using silentAgain = await asCompany(restarted, company, { clientId: `${company.id}-silent` })
    await silentAgain.receive(3)
    await promptAgain.receive(1)
    assert.deepEqual(
      [promptAgain, silentAgain].map(({ received }) => received.map(({ payload }) => payload)),
      [['three'], ['one', 'two', 'three']],
    )
  })

  test('queues the newest thousand messages', async () => {
    const company = newCompany(authenticator)
    await subscribeAndLeave(company, company.topic('+'))
    const texts = Array.from({ length: 1_030 }, (_, index) => String(index))
    await Promise.all(texts.map((text) => publishText(broker, company.topic('test'), text)))
    await allRouted(database)
    await eventually(async () => (await queueLength(database)) === 1_000, { what: 'a thousand are queued' })
    await using client = await asCompany(broker, company)
    const received = await client.receive(1_000)
    assert.deepEqual(
      received.map(({ payload }) => payload),
      texts.slice(30),
    )
  })

  test('delivers a long queue and new messages in order, each message once', async () => {
    const company = newCompany(authenticator)
    await subscribeAndLeave(company, company.topic('+'))
    const texts = Array.from({ length: 700 }, (_, index) => String(index))
    for (const text of texts.slice(0, 400)) await publishText(broker, company.topic('test'), text)
    await using client = await asCompany(broker, company)
    for (const text of texts.slice(400)) await publishText(broker, company.topic('test'), text)
    const received = await client.receive(700)
    assert.deepEqual(
      received.map(({ payload }) => payload),
      texts,
    )
  })

  test('loses the subscriptions and queued messages that a weaker token may not hear', async () => {
    const company = newCompany(authenticator)
    const [notarized, received] = [company.topic('test'), company.topic('test', 'receive_one')]
    await subscribeAndLeave(company, notarized, received)
    await publishText(broker, notarized, 'too much')
    await publishText(broker, received, 'fine')
    authenticator.grant(company.password, {
      owner: { kind: 'company', id: company.id },
      untilMs: Number.MAX_SAFE_INTEGER,
      hears: machineHears({
        companyId: company.id,
        mode: 'test',
        scopes: new Set(['certificates:receive_one']),
      }),
    })
    await using client = await asCompany(broker, company)
    await publishText(broker, notarized, 'too much')
    await publishText(broker, received, 'fine too')
    await client.receive(2)
    assert.deepEqual(
      client.received.map(({ payload }) => payload),
      ['fine', 'fine too'],
    )
  })

  test('does not store a filter that was refused together with one that was granted', async () => {
    const company = newCompany(authenticator)
    const other = newCompany(authenticator)
    const client = await asCompany(broker, company)
    const granted = await client.subscribe(other.topic('test'), company.topic('test'), company.topic('live'))
    assert.deepEqual(granted, [128, 1, 128])
    await client[Symbol.asyncDispose]()
    await publishText(broker, other.topic('test'), 'not theirs')
    await publishText(broker, company.topic('live'), 'not their mode')
    await publishText(broker, company.topic('test'), 'theirs')
    await using again = await asCompany(broker, company)
    await again.receive(1)
    assert.deepEqual(
      again.received.map(({ payload }) => payload),
      ['theirs'],
    )
  })

  test('receives nothing more for a filter it unsubscribed from', async () => {
    const company = newCompany(authenticator)
    const client = await asCompany(broker, company)
    await client.subscribe(company.topic('+'), company.topic('+', 'receive_one'))
    await client.mqtt.unsubscribeAsync(company.topic('+'))
    await client[Symbol.asyncDispose]()
    await publishText(broker, company.topic('test'), 'no more')
    await publishText(broker, company.topic('test', 'receive_one'), 'yes')
    await using again = await asCompany(broker, company)
    await again.receive(1)
    assert.equal(again.received[0]?.payload, 'yes')
  })
})
