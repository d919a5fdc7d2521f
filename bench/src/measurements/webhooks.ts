import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../server/src/ports/database/database.ts'
import { addHook, startRelay } from '../../../server/test/relay.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import { openDurableDatabase, writeEvent } from '../durable.ts'
import { alternate, latenciesOf, rateOf } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'
import { median, percentile } from '../statistics.ts'

const backlog = 2_000
const crowd = { hooks: 40, hanging: 4, perSecond: 100, ms: 1_500 }

/** The relay alone, without the rest of a server; receivers in this process answer at once. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  const latencies = await measureLatency(database)
  const note = '200 events, one by one'
  report.value('commit → first attempt, p50', median(latencies), 'ms', { goal: { atMost: 50 }, note })
  report.value('… p99', percentile(latencies, 0.99), 'ms', { goal: { atMost: 250 }, note })
  for (const hooks of [20, 1]) {
    const label = `deliveries of the relay alone to ${hooks} webhook${hooks === 1 ? '' : 's'}`
    report.rate(label, await measureBacklog(database, hooks, hooks === 1 ? 500 : backlog), {
      goal: { atLeast: 500 },
      note: `a backlog of ${hooks === 1 ? 500 : backlog} events, receivers in the same process`,
    })
  }
  await measureCrowd(database, report)
}

const write = (database: Database, companyIds: readonly string[], n: number): Promise<void> =>
  database.transaction(async (tx) => {
    for (const id of companyIds) await writeEvent(tx, id, n)
  })

const addHooks = async (database: Database, urls: readonly string[]): Promise<string[]> => {
  const companyIds: string[] = []
  for (const connectionUrl of urls) {
    const companyId = randomUUID()
    await addHook(database, { companyId, connectionUrl, ordered: false })
    companyIds.push(companyId)
  }
  return companyIds
}

const receive = (onArrival: (path: string, n: number) => void) =>
  startReceiver({
    reaction: ({ request: { path, body }, response }) => {
      onArrival(path, (JSON.parse(body.toString()) as { n: number }).n)
      if (path !== '/hang') response.end()
    },
  })

const measureLatency = async (database: Database): Promise<number[]> => {
  let arrival = (): void => {}
  await using receiver = await receive(() => arrival())
  const companies = await addHooks(database, [receiver.url])
  await using _relay = startRelay(database)
  return await latenciesOf(200, (n, arrived) => {
    arrival = arrived
    return write(database, companies, n)
  })
}

/** All events are written before the relay starts. */
const measureBacklog = async (
  database: Database,
  hooks: number,
  events: number,
): ReturnType<typeof rateOf> => {
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let seen = 0
  await using receiver = await receive(() => {
    seen += 1
    begun.resolve()
    if (seen === events) done.resolve()
  })
  const companies = await addHooks(
    database,
    Array.from({ length: hooks }, () => receiver.url),
  )
  for (let n = 0; n < events / hooks; n += 1) await write(database, companies, n)
  await using _relay = startRelay(database)
  await begun.promise
  return await rateOf(events, () => done.promise)
}

/** How much the healthy receivers notice of those that hang. */
const measureCrowd = async (database: Database, report: Report): Promise<void> => {
  const p99 = async (hanging: number) => percentile(await measureRound(database, hanging), 0.99)
  const { rounds, median: medians } = await alternate(
    { healthy: () => p99(0), hanging: () => p99(crowd.hanging) },
    2,
  )
  const label = `${crowd.hanging} of ${crowd.hooks} webhooks hang: commit → first attempt of the others, p99`
  report.value(label, medians.hanging, 'ms', { goal: { atMost: 100 }, note: `${crowd.perSecond} events/s` })
  const ratios = rounds.map(({ healthy, hanging }) => hanging / healthy)
  report.ratio('… : p99 when none hangs', ratios)
}

const measureRound = async (database: Database, hanging: number): Promise<number[]> => {
  const committed = new Map<number, number>()
  const latencies: number[] = []
  // Disposed after the receiver, which cuts off the attempts that hang.
  await using _relay = startRelay(database)
  await using receiver = await receive((path, n) => {
    if (path !== '/well') return
    latencies.push(Math.max(0, performance.now() - (committed.get(n) ?? performance.now())))
  })
  const urls = Array.from(
    { length: crowd.hooks },
    (_, at) => new URL(at < hanging ? '/hang' : '/well', receiver.url).href,
  )
  const companies = await addHooks(database, urls)
  const events = (crowd.perSecond * crowd.ms) / 1_000
  let expected = 0
  for (let n = 0; n < events; n += 1) {
    const due = pause(1_000 / crowd.perSecond)
    const at = n % companies.length
    await write(database, companies.slice(at, at + 1), n)
    committed.set(n, performance.now())
    if (at >= hanging) expected += 1
    await due
  }
  while (latencies.length < expected) await pause(5)
  return latencies
}
