import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../../server/src/ports/clock/clock.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { createOutbox } from '../../../server/src/adapters/outbox/outbox-table.ts'
import { addHook, startRelay } from '../../../server/test/relay.ts'
import { openDurableDatabase } from '../embedded-database.ts'
import type { Measurement, Row } from '../row.ts'
import { inTurn, median, medianOf, percentile, ratioRow } from '../statistics.ts'

const singles = 200
const backlog = { hooks: 20, events: 2_000 }
const crowd = { hooks: 40, hanging: 4, perSecond: 100, ms: 1_500 }

/** Relay, database and receivers share the machine; events go from a commit to a receiver that answers at once. */
export const webhooks: Measurement = {
  name: 'webhooks',
  async measure({ folder }) {
    await using database = await openDurableDatabase(await folder('webhooks'))
    const latencies = await measureLatency(database)
    return [
      {
        what: 'commit → first attempt, p50',
        value: median(latencies),
        unit: 'ms',
        goal: { atMost: 50 },
        note: `${singles} events, one by one`,
      },
      { what: '… p99', value: percentile(latencies, 0.99), unit: 'ms', goal: { atMost: 250 } },
      {
        what: `deliveries, ${backlog.hooks} webhooks`,
        value: await measureBacklog(database),
        unit: '/s',
        goal: { atLeast: 500 },
        note: `a backlog of ${backlog.events}`,
      },
      ...(await measureCrowd(database)),
    ]
  },
}

const outbox = createOutbox({ clock: systemClock })
const write = (database: Database, companyIds: readonly string[], n: number): Promise<void> =>
  database.transaction(async (tx) => {
    for (const id of companyIds) {
      await outbox.write(tx, {
        resource: 'companies',
        action: 'update_one',
        owner: { kind: 'company', id },
        mode: 'live',
        payload: { n, name: 'A company with a name', city: 'Essen', status: 'active' },
      })
    }
  })

type Arrival = (path: string, n: number) => void

/** Answers at once, except under /hang. */
const listen = async (onArrival: Arrival): Promise<AsyncDisposable & { readonly url: string }> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const { n }: { n: number } = JSON.parse(Buffer.concat(chunks).toString())
      onArrival(path, n)
      if (!path.startsWith('/hang')) response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const measureLatency = async (database: Database): Promise<number[]> => {
  let arrived = Promise.withResolvers<number>()
  await using receiver = await listen(() => arrived.resolve(performance.now()))
  const companyId = randomUUID()
  await addHook(database, { companyId, connectionUrl: receiver.url, ordered: false })
  await using _relay = startRelay(database)
  const latencies: number[] = []
  for (let n = 0; n < singles; n += 1) {
    arrived = Promise.withResolvers()
    await write(database, [companyId], n)
    const committedAt = performance.now()
    latencies.push(Math.max(0, (await arrived.promise) - committedAt))
    await pause(5)
  }
  return latencies
}

/** Written before any relay runs; timed from the first arrival to the last. */
const measureBacklog = async (database: Database): Promise<number> => {
  const done = Promise.withResolvers<number>()
  let begunAt = 0
  let seen = 0
  await using receiver = await listen(() => {
    begunAt ||= performance.now()
    seen += 1
    if (seen === backlog.events) done.resolve(performance.now())
  })
  const companies = Array.from({ length: backlog.hooks }, () => randomUUID())
  for (const companyId of companies)
    await addHook(database, { companyId, connectionUrl: receiver.url, ordered: false })
  for (let n = 0; n < backlog.events / backlog.hooks; n += 1) await write(database, companies, n)
  await using _relay = startRelay(database)
  return (backlog.events * 1_000) / ((await done.promise) - begunAt)
}

/** What those who answer notice of those who do not. */
const measureCrowd = async (database: Database): Promise<Row[]> => {
  const rounds = await inTurn(
    {
      well: () => measureRound(database, 0),
      hanging: () => measureRound(database, crowd.hanging),
    },
    2,
  )
  return [
    {
      what: `${crowd.hanging} of ${crowd.hooks} webhooks hang: the others, p99`,
      value: medianOf(rounds, ({ hanging }) => percentile(hanging, 0.99)),
      unit: 'ms',
      goal: { atMost: 100 },
      note: `${crowd.perSecond} events/s`,
    },
    ratioRow(
      '… p99 : when none hangs',
      rounds,
      ({ hanging, well }) => percentile(hanging, 0.99) / percentile(well, 0.99),
    ),
  ]
}

const measureRound = async (database: Database, hanging: number): Promise<number[]> => {
  const committed = new Map<number, number>()
  const latencies: number[] = []
  // Ends after the receiver, which cuts off the attempts that hang.
  await using _relay = startRelay(database)
  await using receiver = await listen((path, n) => {
    if (path !== '/well') return
    latencies.push(Math.max(0, performance.now() - (committed.get(n) ?? performance.now())))
  })
  const companies = Array.from({ length: crowd.hooks }, () => randomUUID())
  for (const [index, companyId] of companies.entries()) {
    const connectionUrl = `${receiver.url}/${index < hanging ? 'hang' : 'well'}`
    await addHook(database, { companyId, connectionUrl, ordered: false })
  }
  const events = (crowd.perSecond * crowd.ms) / 1_000
  for (let n = 0; n < events; n += 1) {
    const due = pause(1_000 / crowd.perSecond)
    await write(database, [companies[n % companies.length] ?? ''], n)
    committed.set(n, performance.now())
    await due
  }
  const expected = Array.from({ length: events }, (_, n) => n % companies.length).filter(
    (index) => index >= hanging,
  ).length
  while (latencies.length < expected) await pause(5)
  return latencies
}
