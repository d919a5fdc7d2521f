import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { addHook, startRelay, writeEvent } from '../../../server/test/relay.ts'
import { answer, hang, startReceiver } from '../../../server/test/receiver.ts'
import { alternate, arrivals, type Bench, type Latency, latencyOf, type Rate, rateOf } from '../measuring.ts'
import { openDatabase } from '../product.ts'

const [hooks, hanging, perSecond, events] = [40, 4, 100, 160]

/** The relay alone, without the rest of a server; receivers in this process answer at once. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDatabase(folder)
  const goals = { p50: 50, p99: 250, note: '200 events, one by one' }
  report.latency('commit → first attempt', await measureLatency(database), goals)
  for (const count of [20, 1]) {
    const backlog = count === 1 ? 500 : 2_000
    const rate = await measureBacklog(database, count, backlog)
    const note = `a backlog of ${backlog} events, receivers in the same process`
    report.rate(`deliveries of the relay alone, webhooks: ${count}`, rate, { atLeast: 500, note })
  }
  const { medians, ratios } = await alternate({
    healthy: () => measureCrowd(database, 0),
    hanging: () => measureCrowd(database, hanging),
  })
  const label = `${hanging} of ${hooks} webhooks hang: commit → first attempt of the others, p99`
  report.value(label, medians.hanging.p99Ms, 'ms', { atMost: 100, note: `${perSecond} events/s` })
  report.ratio('… : p99 when none hangs', ratios('hanging', 'healthy', 'p99Ms'))
}

/** Each is of another company. Resolves with what writes an event to one of them. */
const addHooks = async (database: Database, urls: readonly string[]) => {
  const added = urls.map((connectionUrl) => ({ connectionUrl, companyId: randomUUID(), ordered: false }))
  for (const hook of added) await addHook(database, hook)
  return (n: number): Promise<string> =>
    database.transaction((tx) => writeEvent(tx, added[n % added.length]?.companyId ?? '', n))
}

const measureLatency = async (database: Database): Promise<Latency> => {
  await using receiver = await startReceiver()
  const write = await addHooks(database, [receiver.url])
  await using _relay = startRelay(database)
  const hear = () => new Promise((resolve) => receiver.react(({ response }) => resolve(response.end())))
  return await arrivals(200, write, hear)
}

/** All events are written before the relay starts. */
const measureBacklog = async (database: Database, count: number, backlog: number): Promise<Rate> => {
  await using receiver = await startReceiver()
  const write = await addHooks(database, Array<string>(count).fill(receiver.url))
  for (let n = 0; n < backlog; n += 1) await write(n)
  await using _relay = startRelay(database)
  await receiver.until(1)
  return await rateOf(async () => (await receiver.until(backlog)).length)
}

/** How much the healthy webhooks notice of those that hang. */
const measureCrowd = async (database: Database, sick: number): Promise<Latency> => {
  const committedAt: number[] = []
  // Disposed after the receiver, which cuts off the attempts that hang.
  await using _relay = startRelay(database)
  await using receiver = await startReceiver({
    reaction: (given) => (given.request.path === '/hang' ? hang : answer(200))(given),
  })
  const urlOf = (_: unknown, at: number) => new URL(at < sick ? '/hang' : '/hook', receiver.url).href
  const write = await addHooks(database, Array.from({ length: hooks }, urlOf))
  for (let n = 0; n < events; n += 1) {
    const due = pause(1_000 / perSecond)
    await write(n)
    committedAt[n] = Date.now()
    await due
  }
  const heard = () => receiver.received.filter(({ path }) => path === '/hook')
  await eventually(() => heard().length === (events / hooks) * (hooks - sick))
  const numberIn = (body: Buffer): number => (JSON.parse(body.toString()) as { n: number }).n
  return latencyOf(heard().map(({ at, body }) => Math.max(0, at - (committedAt[numberIn(body)] ?? 0))))
}
