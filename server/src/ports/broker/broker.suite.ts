import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type ConnectOptions, connectMqtt, refusalOf, type TestClient } from '../../../test/mqtt-client.ts'
import type { Mode } from '@millseal/contract'
import type { BrokerAuthenticator, BrokerGrant, BrokerPublisher } from './broker.ts'
import { machineHears, personHears } from './topic-rights.ts'

export interface BrokerUnderTest extends AsyncDisposable {
  readonly publisher: BrokerPublisher
  readonly url: () => string
  readonly vhost: string
  /** Restarts it with its data on disk. */
  restart(): Promise<void>
}

export type TestAuthenticator = BrokerAuthenticator & {
  readonly vhost: string
  /** Clients with this password get this grant until it is revoked or replaced. */
  grant(password: string, grant: Omit<BrokerGrant, 'recheck' | 'holder'>): void
  revoke(password: string): void
}

/** Authenticates by the rules of the server, with the grants of a test. */
export const createTestAuthenticator = (vhost: string): TestAuthenticator => {
  const grants = new Map<string, BrokerGrant>()
  return {
    vhost,
    grant: (password, grant) =>
      void grants.set(password, {
        ...grant,
        holder: `application:${password}`,
        recheck: async () => grants.get(password),
      }),
    revoke: (password) => void grants.delete(password),
    async authenticate({ username, password, clientId }) {
      const grant = grants.get(password.reveal())
      if (grant === undefined || username !== `${vhost}:${grant.owner.id}`) return 'credentials'
      const { kind, id } = grant.owner
      return /^(user|company)_/.test(clientId) && !clientId.startsWith(`${kind}_${id}`) ? 'client_id' : grant
    },
  }
}

export type Company = {
  readonly id: string
  readonly password: string
  topic(mode: string, action?: string): string
}

const farOffMs = 4_102_444_800_000

/** A company with a token that may hear events of its certificates. */
export const newCompany = (
  authenticator: TestAuthenticator,
  { untilMs = farOffMs, mode = 'test' }: { untilMs?: number; mode?: Mode } = {},
): Company => {
  const id = randomUUID()
  const password = `password-of-${id}`
  const scopes = new Set(['certificates:notarize_one', 'certificates:receive_one'])
  const owner = { kind: 'company', id } as const
  authenticator.grant(password, { owner, untilMs, hears: machineHears({ companyId: id, mode, scopes }) })
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

export const publishText = (broker: BrokerUnderTest, topic: string, text: string): Promise<void> =>
  publishTexts(broker, topic, [text])

const publishTexts = (
  { publisher }: BrokerUnderTest,
  topic: string,
  texts: readonly string[],
): Promise<void> =>
  publisher.publish(texts.map((text) => ({ topic, payload: Buffer.from(text), messageId: randomUUID() })))

/** The guarantees of every broker. */
export const describeBroker = (
  name: string,
  open: (authenticator: TestAuthenticator) => Promise<BrokerUnderTest>,
  { skip = false }: { readonly skip?: string | false } = {},
): void => {
  describe(`${name} as a broker`, { skip }, () => {
    const authenticator = createTestAuthenticator('abcdefgh')
    let broker: BrokerUnderTest
    before(async () => {
      broker = await open(authenticator)
    })
    after(() => broker[Symbol.asyncDispose]())

    test('delivers a message to its subscribers unchanged and under its topic', async () => {
      const company = newCompany(authenticator)
      await using client = await asCompany(broker, company)
      assert.deepEqual(await client.subscribe(company.topic('test')), [1])
      const text = JSON.stringify({ RefSchemaUrl: 'https://example.com/schema.json', Weight: '12 t · Größe' })
      await publishText(broker, company.topic('test'), text)
      const [message] = await client.receive(1)
      assert.deepEqual(message, { topic: company.topic('test'), payload: text, qos: 1 })
    })

    test('keeps messages for disconnected clients in order, even when it restarts', async () => {
      const company = newCompany(authenticator)
      const first = await asCompany(broker, company)
      await first.subscribe(company.topic('+'))
      await first[Symbol.asyncDispose]()
      const texts = Array.from({ length: 30 }, (_, index) => `{"n":${index}}`)
      for (const text of texts.slice(0, 5)) await publishText(broker, company.topic('test'), text)
      await publishTexts(broker, company.topic('test'), texts.slice(5, 20))
      await broker.restart()
      await publishTexts(broker, company.topic('test'), texts.slice(20, 25))
      for (const text of texts.slice(25)) await publishText(broker, company.topic('test'), text)
      await using second = await asCompany(broker, company)
      assert.equal(second.connack.sessionPresent, true)
      const received = await second.receive(30)
      assert.deepEqual(
        received.map(({ payload }) => payload),
        texts,
      )
    })

    test('does not deliver acknowledged messages again', async () => {
      const company = newCompany(authenticator)
      const first = await asCompany(broker, company)
      await first.subscribe(company.topic('+'))
      await publishText(broker, company.topic('test'), 'one')
      await first.receive(1)
      await first.mqtt.endAsync()
      await publishText(broker, company.topic('test'), 'two')
      await using second = await asCompany(broker, company)
      await second.receive(1)
      assert.deepEqual(
        second.received.map(({ payload }) => payload),
        ['two'],
      )
    })

    test('grants QoS 1 if QoS 2 is requested', async () => {
      const company = newCompany(authenticator)
      await using client = await asCompany(broker, company, { qos: 2 })
      assert.deepEqual(await client.subscribe(company.topic('+')), [1])
    })

    test('accepts + and * as wildcards for the mode', async () => {
      const company = newCompany(authenticator)
      const at = (clientId: string) =>
        asCompany(broker, company, { clientId: `company_${company.id}_${clientId}` })
      await using plus = await at('plus')
      await using star = await at('star')
      assert.deepEqual(await plus.subscribe(company.topic('+')), [1])
      assert.deepEqual(await star.subscribe(company.topic('*')), [1])
      await publishText(broker, company.topic('test'), 'both')
      assert.equal((await plus.receive(1))[0]?.payload, 'both')
      assert.equal((await star.receive(1))[0]?.payload, 'both')
    })

    test('refuses clients whose vhost, id and token do not belong together', async () => {
      const company = newCompany(authenticator)
      const other = newCompany(authenticator)
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

    test('refuses the client id of another owner without affecting that owner', async () => {
      const owner = newCompany(authenticator)
      const thief = newCompany(authenticator)
      await using client = await asCompany(broker, owner)
      await client.subscribe(owner.topic('+'))
      const clientId = `company_${owner.id}_node-red-(host)-(linux)-(x64)`
      assert.notEqual(await refusalOf(credentialsOf(broker, thief, { clientId })), 'let in')
      await publishText(broker, owner.topic('test'), 'still here')
      assert.equal((await client.receive(1))[0]?.payload, 'still here')
      assert.equal(client.mqtt.connected, true)
    })

    test('never delivers what a client publishes, nor its will', async () => {
      const company = newCompany(authenticator)
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
      await publishText(broker, company.topic('test'), 'true')
      await listener.receive(1)
      assert.deepEqual(
        listener.received.map(({ payload }) => payload),
        ['true'],
      )
    })

    test('never delivers events to clients that may not hear them', async () => {
      const owner = newCompany(authenticator)
      const curious = newCompany(authenticator)
      for (const filter of [owner.topic('test'), `company/${owner.id}/#`, '#', '+/+/+/+/+', '$SYS/#']) {
        await using client = await asCompany(broker, curious)
        const granted = await client.subscribe(filter).catch(() => [128])
        assert.deepEqual(granted, [128], filter)
        await publishText(broker, owner.topic('test'), 'secret')
      }
      await using honest = await asCompany(broker, curious)
      await honest.subscribe(curious.topic('+'))
      await publishText(broker, curious.topic('test'), 'mine')
      await honest.receive(1)
      assert.deepEqual(
        honest.received.map(({ payload }) => payload),
        ['mine'],
      )
    })

    test('delivers all events of a person to that person', async () => {
      const id = randomUUID()
      authenticator.grant('person', {
        owner: { kind: 'user', id },
        untilMs: farOffMs,
        hears: personHears(id),
      })
      const person = credentialsOf(broker, { id, password: 'person' }, { clientId: `user_${id}_phone` })
      await using client = await connectMqtt(person)
      assert.deepEqual(await client.subscribe(`user/${id}/#`), [1])
      await publishText(broker, `user/${id}/live/companies/update_one`, 'verified')
      assert.equal((await client.receive(1))[0]?.topic, `user/${id}/live/companies/update_one`)
    })
  })
}
