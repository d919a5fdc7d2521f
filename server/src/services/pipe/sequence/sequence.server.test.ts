import assert from 'node:assert/strict'
import { after as afterAll, before, describe, test } from 'node:test'
import type { EventSequence, ScopeObject } from '@millseal/contract'
import type { ApiError } from '@millseal/sdk'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newApplication, tokenOf } from '../../../../test/machines.ts'
import { addressOf, startOwnServer, startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { type Eventful, newEventfulOwner } from '../../../../test/webhooks.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const follow = (
  of: TestServer,
  { admin, company }: Eventful,
  query: { readonly after?: string; readonly limit?: number; readonly wait?: number },
): Promise<EventSequence> => of.client(admin.accessToken).followEvents({ company: company.id, query })

const namesIn = ({ events }: EventSequence): unknown[] =>
  events
    .filter(({ action }) => action === 'update_one')
    .map(({ payload }) => payload['description'] ?? payload['name'])

/** Once all events have their positions. */
const allOnce = async (owner: Eventful, count: number): Promise<EventSequence> => {
  let sequence = await follow(server, owner, {})
  await eventually(async () => {
    sequence = await follow(server, owner, {})
    return namesIn(sequence).length === count
  })
  return sequence
}

const streamed = (of: TestServer, { admin, company }: Eventful, query: string, headers = {}) =>
  fetch(`${of.url}/api/events/stream?${query}`, {
    headers: { authorization: `Bearer ${admin.accessToken}`, company: company.id, ...headers },
  })

describe('the sequence of events', () => {
  test('has every event of a company without a webhook, oldest first, and is read in any stretches', async () => {
    const owner = await newEventfulOwner(server, server.nameOf('follower'))
    await owner.produce('Furnace 1', 'Furnace 2', 'Furnace 3')
    const whole = await allOnce(owner, 3)
    assert.deepEqual(namesIn(whole), ['Furnace 1', 'Furnace 2', 'Furnace 3'])
    assert.equal(whole.position, whole.events.at(-1)?.position)
    const inOnes: EventSequence['events'] = []
    let position = 0
    while (position < whole.position) {
      const part = await follow(server, owner, { after: String(position), limit: 1 })
      assert.equal(part.events.length, 1)
      inOnes.push(...part.events)
      position = part.position
    }
    assert.deepEqual(inOnes, whole.events)
    assert.deepEqual(await follow(server, owner, { after: String(position) }), { events: [], position })
    assert.deepEqual(await follow(server, owner, { after: 'newest' }), { events: [], position })
  })

  test('waits for the next event of the company, and not for one of another', async () => {
    const owner = await newEventfulOwner(server, server.nameOf('waiting'))
    const other = await newEventfulOwner(server, server.nameOf('busy'))
    await owner.produce('Before')
    const { position } = await allOnce(owner, 1)
    const waiting = follow(server, owner, { after: String(position), wait: 20 })
    await other.produce('Of another company')
    await allOnce(other, 1)
    await owner.produce('After')
    assert.deepEqual(namesIn(await waiting), ['After'])
  })

  test('is that of a machine as far as its scopes and its mode go', async () => {
    const owner = await newEventfulOwner(server, server.nameOf('machine-owner'))
    const { company, admin } = owner
    await server
      .client(admin.accessToken)
      .createWallet({ company: company.id, query: { mode: 'test' }, body: {} })
    await owner.produce('Changed')
    const whole = await allOnce(owner, 1)
    const read = async (scopes: ScopeObject) => {
      const token = await tokenOf(server, await newApplication(server, owner, { scopes }))
      return server.client(token).followEvents({ query: {} })
    }
    const seen = await read({ wallets: { actions: ['create_one'] } })
    assert.deepEqual(
      seen.events.map(({ resource, action, mode }) => `${mode}/${resource}/${action}`),
      ['test/wallets/create_one'],
    )
    const blind = await read({ certificates: { actions: ['notarize_one'] } })
    assert.deepEqual(blind.events, [])
    assert.ok(blind.position >= whole.position, 'what it may not see is passed over')
    const stranger = await newEventfulOwner(server, server.nameOf('stranger'))
    await assert.rejects(follow(server, { ...owner, admin: stranger.admin }, {}), { status: 403 })
  })

  test('says so if nothing has that position yet, or if it is none', async () => {
    const owner = await newEventfulOwner(server, server.nameOf('ahead'))
    for (const after of ['999999999999999', 'yesterday', '-1', '1e3'])
      await assert.rejects(follow(server, owner, { after }), (error: ApiError) => {
        assert.equal(error.status, 400)
        assert.match(error.message, /after/)
        return true
      })
    const answer = await streamed(server, owner, 'wait=0', { 'last-event-id': 'x' })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /header Last-Event-ID/)
  })

  test('is sent as server-sent events with its positions as ids, and goes on after the last id', async () => {
    const owner = await newEventfulOwner(server, server.nameOf('streaming'))
    await owner.produce('One', 'Two\nlines')
    const whole = await allOnce(owner, 2)
    const answer = await streamed(server, owner, 'wait=0')
    assert.equal(answer.headers.get('content-type'), 'text/event-stream')
    const blocks = (await answer.text()).split('\n\n')
    const shown = blocks.slice(1, -2).map((block) => {
      const [id, ...data] = block.split('\n')
      return { id, event: JSON.parse(data.map((line) => line.replace(/^data: /, '')).join('\n')) as unknown }
    })
    assert.deepEqual(
      shown,
      whole.events.map((event) => ({ id: `id: ${event.position}`, event })),
    )
    assert.equal(blocks.at(-2), `id: ${whole.position}`)
    const [first = assert.fail()] = whole.events
    const rest = await streamed(server, owner, 'wait=0&after=newest', {
      'last-event-id': String(first.position),
    })
    assert.doesNotMatch(await rest.text(), new RegExp(first.eventId))
  })
})

test('who waits for events does not keep the server from stopping', async () => {
  await using database = await openTestDatabase()
  const own = await startOwnServer({ databaseUrl: addressOf(database) })
  const owner = await newEventfulOwner(own, 'stopped')
  const { position } = await follow(own, owner, {})
  const waiting = streamed(own, owner, `after=${position}&wait=20`)
  await eventually(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and query like 'listen "millseal_event%'`.execute(
      database.query,
    )
    return rows.length > 0
  })
  await own[Symbol.asyncDispose]()
  assert.equal((await waiting).status, 200)
})
