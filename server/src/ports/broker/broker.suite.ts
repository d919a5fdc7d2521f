import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type ConnectOptions, connectMqtt, refusalOf, type TestClient } from '../../../test/mqtt-client.ts'
import type { Mode } from '@millseal/contract'
import type { BrokerGuest, BrokerPublisher, Gatekeeper } from './broker.ts'
import { machineHears, personHears } from './topic-rights.ts'

export interface BrokerUnderTest extends AsyncDisposable {
  readonly publisher: BrokerPublisher
  readonly url: () => string
  readonly vhost: string
  /** Stops it and starts it again, with what it has on disk. */
  restart(): Promise<void>
}

export type Guests = Gatekeeper & {
  readonly vhost: string
  /** Whoever presents this password is this guest, until it is taken back or replaced. */
  let(password: string, guest: Omit<BrokerGuest, 'again' | 'holder'>): void
  turnAway(password: string): void
}

/** The rules of the server at its door, with guests that a test brings. */
export const bookOfGuests = (vhost: string): Guests => {
  const known = new Map<string, BrokerGuest>()
  return {
    vhost,
    let: (password, guest) =>
      void known.set(password, {
        ...guest,
        holder: `application:${password}`,
        again: async () => known.get(password),
      }),
    turnAway: (password) => void known.delete(password),
    async admit({ username, password, clientId }) {
      const guest = known.get(password.reveal())
      if (guest === undefined || username !== `${vhost}:${guest.owner.id}`) return 'credentials'
      const { kind, id } = guest.owner
      return /^(user|company)_/.test(clientId) && !clientId.startsWith(`${kind}_${id}`) ? 'client_id' : guest
    },
  }
}

export type Company = {
  readonly id: string
  readonly password: string
  topic(mode: string, action?: string): string
}

const farOffMs = 4_102_444_800_000

/** A company with a token that hears what becomes of its certificates. */
export const newCompany = (
  guests: Guests,
  { untilMs = farOffMs, mode = 'test' }: { untilMs?: number; mode?: Mode } = {},
): Company => {
  const id = randomUUID()
  const password = `password-of-${id}`
  const scopes = new Set(['certificates:notarize_one', 'certificates:receive_one'])
  const owner = { kind: 'company', id } as const
  guests.let(password, { owner, untilMs, hears: machineHears({ companyId: id, mode, scopes }) })
  return {
    id,
    password,
    topic: (level, action = 'notarize_one') => `company/${id}/${level}/certificates/${action}`,
  }
}

export const asCompany = (
  broker: BrokerUnderTest,
  { id, password }: Company,
  changes: Partial<ConnectOptions> = {},
): Promise<TestClient> => connectMqtt(credentialsOf(broker, { id, password }, changes))

export const credentialsOf = (
  { url, vhost }: BrokerUnderTest,
  { id, password }: Pick<Company, 'id' | 'password'>,
  changes: Partial<ConnectOptions> = {},
): ConnectOptions => ({
  url: url(),
  clientId: `company_${id}_node-red-(host)-(linux)-(x64)`,
  username: `${vhost}:${id}`,
  password,
  ...changes,
})

export const say = ({ publisher }: BrokerUnderTest, topic: string, text: string): Promise<void> =>
  publisher.publish({ topic, payload: Buffer.from(text), messageId: randomUUID() })

/** What every broker owes, whichever it is. */
export const describeBroker = (
  name: string,
  open: (guests: Guests) => Promise<BrokerUnderTest>,
  { skip = false }: { readonly skip?: string | false } = {},
): void => {
  describe(`${name} as a broker`, { skip }, () => {
    const guests = bookOfGuests('abcdefgh')
    let broker: BrokerUnderTest
    before(async () => {
      broker = await open(guests)
    })
    after(() => broker[Symbol.asyncDispose]())

    test('hands a message to who subscribed, byte for byte and under its topic', async () => {
      const company = newCompany(guests)
      await using client = await asCompany(broker, company)
      assert.deepEqual(await client.subscribe(company.topic('test')), [1])
      const text = JSON.stringify({ RefSchemaUrl: 'https://example.com/schema.json', Weight: '12 t · Größe' })
      await say(broker, company.topic('test'), text)
      const [message] = await client.receive(1)
      assert.deepEqual(message, { topic: company.topic('test'), payload: text, qos: 1 })
    })

    test('keeps messages for who is away, in order, across its own restart', async () => {
      const company = newCompany(guests)
      const first = await asCompany(broker, company)
      await first.subscribe(company.topic('+'))
      await first[Symbol.asyncDispose]()
      const texts = Array.from({ length: 30 }, (_, index) => `{"n":${index}}`)
      for (const text of texts.slice(0, 20)) await say(broker, company.topic('test'), text)
      await broker.restart()
      for (const text of texts.slice(20)) await say(broker, company.topic('test'), text)
      await using second = await asCompany(broker, company)
      assert.equal(second.connack.sessionPresent, true)
      const received = await second.receive(30)
      assert.deepEqual(
        received.map(({ payload }) => payload),
        texts,
      )
    })

    test('does not give again what was acknowledged', async () => {
      const company = newCompany(guests)
      const first = await asCompany(broker, company)
      await first.subscribe(company.topic('+'))
      await say(broker, company.topic('test'), 'one')
      await first.receive(1)
      await first.mqtt.endAsync()
      await say(broker, company.topic('test'), 'two')
      await using second = await asCompany(broker, company)
      await second.receive(1)
      assert.deepEqual(
        second.received.map(({ payload }) => payload),
        ['two'],
      )
    })

    test('grants QoS 2 as 1', async () => {
      const company = newCompany(guests)
      await using client = await asCompany(broker, company, { qos: 2 })
      assert.deepEqual(await client.subscribe(company.topic('+')), [1])
    })

    test('reads + and * as both modes', async () => {
      const company = newCompany(guests)
      const at = (clientId: string) =>
        asCompany(broker, company, { clientId: `company_${company.id}_${clientId}` })
      await using plus = await at('plus')
      await using star = await at('star')
      assert.deepEqual(await plus.subscribe(company.topic('+')), [1])
      assert.deepEqual(await star.subscribe(company.topic('*')), [1])
      await say(broker, company.topic('test'), 'both')
      assert.equal((await plus.receive(1))[0]?.payload, 'both')
      assert.equal((await star.receive(1))[0]?.payload, 'both')
    })

    test('lets nobody in without the vhost, the id and the token that belong together', async () => {
      const company = newCompany(guests)
      const other = newCompany(guests)
      const good = credentialsOf(broker, company)
      for (const changes of [
        { username: company.id },
        { username: `zzzzzzzz:${company.id}` },
        { username: `${broker.vhost}:${other.id}` },
        { password: 'nothing we know' },
        { password: '' },
      ]) {
        const refusal = await refusalOf({ ...good, ...changes })
        assert.ok(refusal === 4 || refusal === 5, `${JSON.stringify(changes)}: ${refusal}`)
      }
      assert.equal(await refusalOf(good), 'let in')
    })

    test("refuses another's client id, and its owner notices nothing", async () => {
      const owner = newCompany(guests)
      const thief = newCompany(guests)
      await using client = await asCompany(broker, owner)
      await client.subscribe(owner.topic('+'))
      const clientId = `company_${owner.id}_node-red-(host)-(linux)-(x64)`
      assert.notEqual(await refusalOf(credentialsOf(broker, thief, { clientId })), 'let in')
      await say(broker, owner.topic('test'), 'still here')
      assert.equal((await client.receive(1))[0]?.payload, 'still here')
      assert.equal(client.mqtt.connected, true)
    })

    test('never delivers what a client publishes, nor its will', async () => {
      const company = newCompany(guests)
      await using listener = await asCompany(broker, company)
      await listener.subscribe(company.topic('+'), company.topic('+', 'receive_one'))
      const forged = { topic: company.topic('test'), payload: Buffer.from('forged') }
      for (const qos of [0, 1] as const) {
        await using client = await asCompany(broker, company, {
          clientId: `company_${company.id}_forger`,
          will: { ...forged, qos, retain: false },
        })
        client.mqtt.publish(forged.topic, forged.payload, { qos }, () => {})
        await client.closed()
      }
      const vanishing = await refusalOf(
        credentialsOf(broker, company, {
          clientId: `company_${company.id}_v`,
          will: { ...forged, qos: 1, retain: true },
        }),
      )
      assert.notEqual(vanishing, undefined)
      await say(broker, company.topic('test'), 'true')
      await listener.receive(1)
      assert.deepEqual(
        listener.received.map(({ payload }) => payload),
        ['true'],
      )
    })

    test('tells nobody what is not theirs to hear', async () => {
      const owner = newCompany(guests)
      const curious = newCompany(guests)
      for (const filter of [owner.topic('test'), `company/${owner.id}/#`, '#', '+/+/+/+/+', '$SYS/#']) {
        await using client = await asCompany(broker, curious)
        const granted = await client.subscribe(filter).catch(() => [128])
        assert.deepEqual(granted, [128], filter)
        await say(broker, owner.topic('test'), 'secret')
      }
      await using honest = await asCompany(broker, curious)
      await honest.subscribe(curious.topic('+'))
      await say(broker, curious.topic('test'), 'mine')
      await honest.receive(1)
      assert.deepEqual(
        honest.received.map(({ payload }) => payload),
        ['mine'],
      )
    })

    test('tells a person everything of theirs', async () => {
      const id = randomUUID()
      guests.let('person', { owner: { kind: 'user', id }, untilMs: farOffMs, hears: personHears(id) })
      const person = credentialsOf(broker, { id, password: 'person' }, { clientId: `user_${id}_phone` })
      await using client = await connectMqtt(person)
      assert.deepEqual(await client.subscribe(`user/${id}/#`), [1])
      await say(broker, `user/${id}/live/companies/update_one`, 'verified')
      assert.equal((await client.receive(1))[0]?.topic, `user/${id}/live/companies/update_one`)
    })
  })
}
