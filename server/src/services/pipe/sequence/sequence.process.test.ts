import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Agent, EventSource } from 'undici'
import { bundled } from '../../../../test/bundled.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { relayProcess, relayProgram } from '../../../../test/killed-relay.ts'
import { startTestServer } from '../../../../test/test-server.ts'
import { newEventfulOwner } from '../../../../test/webhooks.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import { readSequence } from './read-sequence.ts'

/** The same numbers in each run. */
const createRandom = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const heard = ['live/companies/update_one']
const perWrite = 500

const writeMany = (query: Query, companyId: string) =>
  sql`
    insert into outbox (id, owner_kind, owner_id, mode, resource, action, payload, occurred_at)
    select gen_random_uuid(), 'company', ${companyId}, 'live', 'companies', 'update_one', '{}', now()
    from generate_series(1, ${perWrite}::int)`.execute(query)

/** Every second write commits after a later one. */
const writeAll = async ({ transaction }: Database, companyId: string, pairs: number): Promise<void> => {
  for (let pair = 0; pair < pairs; pair += 1)
    await transaction(async (late) => {
      await writeMany(late, companyId)
      await transaction((tx) => writeMany(tx, companyId))
    })
}

/** What a reader has that loses an answer now and then, and asks for as many as it likes. */
const readAll = async ({ query }: Database, companyId: string, reader: Reader): Promise<void> => {
  while (reader.ids.length < reader.wanted) {
    const limit = 1 + Math.floor(reader.random() * 900)
    const part = await readSequence(query, { companyId, heard, after: reader.position, limit })
    if (reader.random() < 0.2) continue
    reader.ids.push(...part.events.map(({ id }) => id))
    reader.position = part.position
    await reader.onPart()
  }
}

type Reader = {
  readonly wanted: number
  readonly random: () => number
  readonly onPart: () => Promise<void>
  readonly ids: string[]
  position: number
}

test('100,000 events, written by transactions that overtake each other while the relay is killed, reach each reader once and in one order', async () => {
  await using database = await openTestDatabase({ maxConnections: 20 })
  await using relay = relayProcess(database, await bundled(relayProgram))
  relay.replace()
  const wanted = 100_000
  const companyId = randomUUID()
  const lanes = 4
  const writing = Promise.all(
    Array.from({ length: lanes }, () => writeAll(database, companyId, wanted / lanes / perWrite / 2)),
  )
  let parts = 0
  const onPart = async () => {
    parts += 1
    if (parts % 150 === 0 && parts <= 1_500) relay.replace()
  }
  const readers = [1, 2, 3].map(
    (seed): Reader => ({ wanted, random: createRandom(seed), onPart, ids: [], position: 0 }),
  )
  await Promise.all([writing, ...readers.map((reader) => readAll(database, companyId, reader))])
  const { rows } = await sql<{ id: string }>`select id from outbox order by position`.execute(database.query)
  const inOrder = rows.map(({ id }) => id)
  assert.equal(inOrder.length, wanted)
  for (const { ids } of readers) assert.ok(ids.every((id, index) => id === inOrder[index]))
})

/** Hands on what a server answers, and cuts each connection after some bytes. */
const startCutter = async (target: string, random: () => number) => {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let cuts = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let left = Math.floor(random() * 4_000)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left > 0) return
      cuts += 1
      client.end()
      upstream.destroy()
    })
    upstream.on('end', () => client.end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a client of server-sent events that others wrote has each event once, however often its connection is cut', async () => {
  await using server = await startTestServer()
  const owner = await newEventfulOwner(server, server.nameOf('cut-off'))
  const { company, admin } = owner
  await using cutter = await startCutter(server.url, createRandom(7))
  const headers = { authorization: `Bearer ${admin.accessToken}`, company: company.id }
  await using agent = {
    dispatcher: new Agent({ pipelining: 0 }).compose((dispatch) => (options, handler) => {
      const given = Array.isArray(options.headers)
        ? options.headers
        : Object.entries(options.headers ?? {}).flat()
      return dispatch(
        { ...options, headers: [...(given as string[]), ...Object.entries(headers).flat()] },
        handler,
      )
    }),
    [Symbol.asyncDispose]: () => agent.dispatcher.destroy(),
  }
  const received: string[] = []
  const source = new EventSource(`${cutter.url}/api/events/stream?limit=3`, {
    node: { dispatcher: agent.dispatcher },
  })
  source.addEventListener('message', ({ data }) =>
    received.push((JSON.parse(data) as { eventId: string }).eventId),
  )
  try {
    const names = Array.from({ length: 60 }, (_, n) => `Furnace ${n}`)
    await owner.produce(...names)
    const client = server.client(admin.accessToken)
    let all: string[] = []
    await eventually(async () => {
      const { events } = await client.followEvents({ company: company.id, query: { limit: 1_000 } })
      all = events.map(({ eventId }) => eventId)
      return (
        events.filter(({ action, resource }) => action === 'update_one' && resource === 'applications')
          .length === names.length
      )
    })
    await eventually(() => received.length >= all.length)
    assert.deepEqual(received, all)
    assert.ok(cutter.cuts() > 5)
  } finally {
    source.close()
  }
})
