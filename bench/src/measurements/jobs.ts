import { randomUUID } from 'node:crypto'
import { createPgBossJobs } from '../../../server/src/adapters/jobs/pg-boss.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import type { JobKind } from '../../../server/src/ports/jobs/jobs.ts'
import { openDurableDatabase, silentLog, writeEvent } from '../durable.ts'
import { alternate, latenciesOf, rateOf, repeat } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'
import { median, percentile } from '../statistics.ts'

const backlog = 1_500
const stopMs = 5_000

/** A transaction enqueues a job, and a worker starts it after the commit. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  const latencies = await measureLatency(database)
  report.value('commit → job handler, p50', median(latencies), 'ms', { note: '300 jobs, one by one' })
  report.value('… p99', percentile(latencies, 0.99), 'ms')
  const label = `a backlog of ${backlog} empty jobs worked off`
  report.rate(`${label}, 2 at once`, await measureBacklog(database, 2), { note: 'the default' })
  report.rate(`${label}, 16 at once`, await measureBacklog(database, 16))
  await measureEnqueue(database, report)
}

type Numbered = { readonly number: number }

const kindOf = (name: string): JobKind<Numbered> => ({
  name: `bench-${name}`,
  retries: 0,
  backoffSeconds: 1,
  expireSeconds: 60,
})

const measureLatency = async (database: Database): Promise<number[]> => {
  await using runner = createPgBossJobs({ database, log: silentLog })
  const kind = kindOf('latency')
  let begun = (): void => {}
  runner.handle(kind, async () => begun())
  await runner.start({ work: true })
  const latencies = await latenciesOf(300, (number, arrived) => {
    begun = arrived
    return database.transaction((tx) => runner.enqueue(tx, kind, { number }))
  })
  await runner.stop(stopMs)
  return latencies
}

/** All jobs are enqueued before a worker starts. */
const measureBacklog = async (database: Database, concurrency: number): ReturnType<typeof rateOf> => {
  const kind = kindOf(`backlog-${concurrency}`)
  {
    await using enqueuer = createPgBossJobs({ database, log: silentLog })
    await enqueuer.start({ work: false })
    await database.transaction(async (tx) => {
      for (let number = 0; number < backlog; number += 1) await enqueuer.enqueue(tx, kind, { number })
    })
  }
  await using worker = createPgBossJobs({ database, log: silentLog })
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let seen = 0
  const handler = async (): Promise<void> => {
    seen += 1
    begun.resolve()
    if (seen === backlog) done.resolve()
  }
  worker.handle(kind, handler, { concurrency })
  const measured = begun.promise.then(() => rateOf(backlog, () => done.promise))
  await worker.start({ work: true })
  const rate = await measured
  await worker.stop(stopMs)
  return rate
}

const measureEnqueue = async (database: Database, report: Report): Promise<void> => {
  await using runner = createPgBossJobs({ database, log: silentLog })
  await runner.start({ work: false })
  const kind = kindOf('enqueue')
  const companyId = randomUUID()
  const eight = { concurrent: 8, ms: 900 }
  const enqueue = () => database.transaction((tx) => runner.enqueue(tx, kind, { number: 0 }))
  const { rounds, median: medians } = await alternate({
    event: () => repeat(() => database.transaction((tx) => writeEvent(tx, companyId)), eight),
    job: () => repeat(enqueue, eight),
  })
  report.rate('transactions that enqueue a job, 8 at once', medians.job)
  const ratios = rounds.map(({ job, event }) => job.perSecond / event.perSecond)
  report.ratio('… : transactions that write an event', ratios)
}
