import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
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

/** The first byte, number and payload of each PUBLISH packet (MQTT 3.1.1 §3.3) in what a server sent. All are short. */
const publications = (chunks: readonly Buffer[]): readonly (readonly [number, number, string])[] => {
  const found: (readonly [number, number, string])[] = []
  let rest = Buffer.concat(chunks)
  while (rest.length > 0) {
    const lengthBytes = rest.readUInt8(1) < 0x80 ? 1 : 2
    const low = rest.readUInt8(1) & 0x7f
    const length = lengthBytes === 1 ? low : low + rest.readUInt8(2) * 0x80
    const body = rest.subarray(1 + lengthBytes, 1 + lengthBytes + length)
    if (rest.readUInt8() >> 4 === 3) {
      const idAt = 2 + body.readUInt16BE()
      found.push([rest.readUInt8(), body.readUInt16BE(idAt), body.toString('utf8', idAt + 2)])
    }
    rest = rest.subarray(1 + lengthBytes + length)
  }
  return found
}

const numberOf = ([, id]: readonly [number, number, string]): number => id

const listen = async (under: AedesUnderTest, company: Company, acknowledges: boolean, atLeast: number) => {
  const chunks: Buffer[] = []
  const client = await asCompany(under, company, {
    withholdsAcknowledgements: !acknowledges,
    onBytes: (bytes) => chunks.push(bytes),
  })
  await client.subscribe(company.topic('+'))
  await client.receive(acknowledges ? atLeast : 0)
  return {
    sent: () => publications(chunks),
    heads: () => publications(chunks).map(([head, , payload]) => `${head} ${payload}`),
    leave: async () => {
      client.mqtt.stream.destroy()
      await client.closed()
    },
    client,
  }
}

describe('a session repeats under its number and marked as DUP', () => {
  const [first, again] = [0x32, 0x3a]
  test('what it was sent and has not acknowledged, and nothing else', async () => {
    const company = newCompany(authenticator)
    const silent = await listen(broker, company, false, 0)
    for (const text of ['one', 'two']) await publishText(broker, company.topic('test'), text)
    await eventually(() => silent.sent().length === 2, { what: 'both are sent' })
    assert.deepEqual(silent.heads(), [`${first} one`, `${first} two`])
    await silent.leave()
    await publishText(broker, company.topic('test'), 'three')
    await allRouted(database)
    const prompt = await listen(broker, company, true, 3)
    assert.deepEqual(prompt.heads(), [`${again} one`, `${again} two`, `${first} three`])
    assert.deepEqual(prompt.sent().slice(0, 2).map(numberOf), silent.sent().map(numberOf))
    await publishText(broker, company.topic('test'), 'four')
    await prompt.client.receive(4)
    assert.equal(prompt.heads().at(-1), `${first} four`)
    await prompt.leave()
  })

  for (const end of ['stopped', 'killed'] as const)
    test(`also after the broker was ${end}`, async () => {
      await using own = await openTestDatabase()
      await using other = await openAedes(own, authenticator)
      const company = newCompany(authenticator)
      const silent = await listen(other, company, false, 0)
      await publishText(other, company.topic('test'), 'one')
      await eventually(() => silent.sent().length === 1, { what: 'it is sent' })
      await eventually(async () => (await queueLength(own)) === 1, { what: 'it is queued' })
      await other.broker()[Symbol.asyncDispose]()
      if (end === 'killed')
        await sql`update broker_sessions set disconnected_at = null, sent_up_to = 0`.execute(own.query)
      await other.restart()
      await publishText(other, company.topic('test'), 'two')
      const prompt = await listen(other, company, true, 2)
      assert.deepEqual(prompt.heads(), [`${again} one`, `${first} two`])
      assert.deepEqual(prompt.sent().slice(0, 1).map(numberOf), silent.sent().map(numberOf))
      await prompt.leave()
    })
})
