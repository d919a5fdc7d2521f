import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createOutbox } from '../../../server/src/adapters/outbox/outbox-table.ts'
import { systemClock } from '../../../server/src/ports/clock/clock.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { noTracer } from '../../../server/src/ports/tracer/tracer.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { addHook, startRelay } from '../../../server/test/relay.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import { openDurableDatabase } from '../durable.ts'
import { alternate, arrivals, type Latency, latencyOf, type Rate, rateOf } from '../rounds.ts'
import type { Bench } from '../row.ts'

const [hooks, hanging, perSecond, events] = [40, 4, 100, 160]

/** The relay alone, without the rest of a server; receivers in this process answer at once. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  const latency = await measureLatency(database)
  report.latency('commit → first attempt', latency, { p50: 50, p99: 250, note: '200 events, one by one' })
  for (const [count = 0, backlog = 0] of [
    [20, 2_000],
    [1, 500],
  ]) {
    const rate = await measureBacklog(database, count, backlog)
    const note = `a backlog of ${backlog} events, receivers in the same process`
    report.rate(`deliveries of the relay alone, webhooks: ${count}`, rate, { goal: { atLeast: 500 }, note })
  }
  const { medians, ratios } = await alternate({
    healthy: () => measureCrowd(database, 0),
    hanging: () => measureCrowd(database, hanging),
  })
  const label = `${hanging} of ${hooks} webhooks hang: commit → first attempt of the others, p99`
  const note = `${perSecond} events/s`
  report.value(label, medians.hanging.p99Ms, 'ms', { goal: { atMost: 100 }, note })
  const toHealthy = ratios((round) => round.hanging.p99Ms / round.healthy.p99Ms)
  report.ratio('… : p99 when none hangs', toHealthy)
}

const outbox = createOutbox({ clock: systemClock, tracer: noTracer })

const write = (database: Database, n: number, companyId = ''): Promise<string> =>
  database.transaction((tx) =>
    outbox.write(tx, {
      owner: { kind: 'company', id: companyId },
      mode: 'live',
      resource: 'companies',
      action: 'update_one',
      payload: { n, name: 'A company with a name', city: 'Essen', status: 'active' },
    }),
  )

/** Each is of another company. Resolves with the companies. */
const addHooks = async (database: Database, urls: readonly string[]): Promise<string[]> => {
  const added = urls.map((connectionUrl) => ({ connectionUrl, companyId: randomUUID(), ordered: false }))
  for (const hook of added) await addHook(database, hook)
  return added.map(({ companyId }) => companyId)
}

const measureLatency = async (database: Database): Promise<Latency> => {
  let arrival = (): void => {}
  await using receiver = await startReceiver({
    reaction: ({ response }) => {
      arrival()
      response.end()
    },
  })
  const [company] = await addHooks(database, [receiver.url])
  await using _relay = startRelay(database)
  return await arrivals(200, (n, arrived) => {
    arrival = arrived
    return write(database, n, company)
  })
}

/** All events are written before the relay starts. */
const measureBacklog = async (database: Database, count: number, backlog: number): Promise<Rate> => {
  await using receiver = await startReceiver()
  const companies = await addHooks(database, Array<string>(count).fill(receiver.url))
  for (let n = 0; n < backlog; n += 1) await write(database, n, companies[n % count])
  await using _relay = startRelay(database)
  await receiver.until(1)
  return await rateOf(async () => (await receiver.until(backlog)).length)
}

/** How much the healthy receivers notice of those that hang. */
const measureCrowd = async (database: Database, sick: number): Promise<Latency> => {
  const committedAt: number[] = []
  // Disposed after the receiver, which cuts off the attempts that hang.
  await using _relay = startRelay(database)
  await using receiver = await startReceiver({
    reaction: ({ request, response }) => void (request.path === '/hang' ? undefined : response.end()),
  })
  const urlOf = (_: unknown, at: number) => new URL(at < sick ? '/hang' : '/hook', receiver.url).href
  const companies = await addHooks(database, Array.from({ length: hooks }, urlOf))
  for (let n = 0; n < events; n += 1) {
    const due = pause(1_000 / perSecond)
    await write(database, n, companies[n % hooks])
    committedAt[n] = Date.now()
    await due
  }
  const heard = () => receiver.received.filter(({ path }) => path === '/hook')
  await eventually(() => heard().length === (events / hooks) * (hooks - sick))
  const numberIn = (body: Buffer): number => (JSON.parse(body.toString()) as { n: number }).n
  return latencyOf(heard().map(({ at, body }) => Math.max(0, at - (committedAt[numberIn(body)] ?? 0))))
}
