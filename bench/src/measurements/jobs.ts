import { setTimeout as pause } from 'node:timers/promises'
import { createPgBossJobs } from '../../../server/src/adapters/jobs/pg-boss.ts'
import type { Database } from '../../../server/src/ports/database/database.ts'
import type { JobKind, JobRunner } from '../../../server/src/ports/jobs/jobs.ts'
import { openDurableDatabase, silentLog, writeEvent } from '../embedded-database.ts'
import { repeat } from '../repeat.ts'
import type { Measurement, Row } from '../row.ts'
import { inTurn, median, medianOf, percentile, ratioRow } from '../statistics.ts'

const singles = 300
const pauseMs = 5
const backlog = 1_500
const stopMs = 5_000

/** A job is enqueued by the transaction that needs it, and begun by a worker that hears of the commit. */
export const jobs: Measurement = {
  name: 'jobs',
  async measure({ folder }) {
    await using database = await openDurableDatabase(await folder('jobs'))
    const latencies = await measureLatency(database)
    const narrow = await measureBacklog(database, 2)
    const wide = await measureBacklog(database, 16)
    return [
      {
        what: 'commit → handler, p50',
        value: median(latencies),
        unit: 'ms',
        note: `${singles} jobs, one by one`,
      },
      { what: '… p99', value: percentile(latencies, 0.99), unit: 'ms' },
      { what: `backlog of ${backlog}, 2 at once`, value: narrow, unit: '/s', note: 'the default' },
      { what: `backlog of ${backlog}, 16 at once`, value: wide, unit: '/s' },
      ...(await measureEnqueue(database)),
    ]
  },
}

type Numbered = { readonly number: number }

const kindOf = (name: string): JobKind<Numbered> => ({
  name: `bench-${name}`,
  retries: 0,
  backoffSeconds: 1,
  expireSeconds: 60,
})

/** A handler may begin before the commit is acknowledged to us: then nothing was waited for. */
const measureLatency = async (database: Database): Promise<number[]> => {
  await using runner = createPgBossJobs({ database, log: silentLog })
  const kind = kindOf('latency')
  let begun = Promise.withResolvers<number>()
  runner.handle(kind, async () => begun.resolve(performance.now()))
  await runner.start({ work: true })
  const latencies: number[] = []
  for (let number = 0; number < singles; number += 1) {
    begun = Promise.withResolvers()
    await database.transaction((tx) => runner.enqueue(tx, kind, { number }))
    const committedAt = performance.now()
    latencies.push(Math.max(0, (await begun.promise) - committedAt))
    await pause(pauseMs)
  }
  await runner.stop(stopMs)
  return latencies
}

/** Enqueued before any worker runs; timed from the first job begun to the last. */
const measureBacklog = async (database: Database, concurrency: number): Promise<number> => {
  const kind = kindOf(`backlog-${concurrency}`)
  await enqueueAll(database, kind)
  await using worker = createPgBossJobs({ database, log: silentLog })
  const done = Promise.withResolvers<number>()
  let begunAt = 0
  let seen = 0
  worker.handle(
    kind,
    async () => {
      begunAt ||= performance.now()
      seen += 1
      if (seen === backlog) done.resolve(performance.now())
    },
    { concurrency },
  )
  await worker.start({ work: true })
  const perSecond = (backlog * 1_000) / ((await done.promise) - begunAt)
  await worker.stop(stopMs)
  return perSecond
}

const enqueueAll = async (database: Database, kind: JobKind<Numbered>): Promise<void> => {
  await using runner = await startWithoutWork(database)
  const perTransaction = 100
  for (let first = 0; first < backlog; first += perTransaction) {
    await database.transaction(async (tx) => {
      for (let number = first; number < first + perTransaction; number += 1) {
        await runner.enqueue(tx, kind, { number })
      }
    })
  }
}

const startWithoutWork = async (database: Database): Promise<JobRunner> => {
  const runner = createPgBossJobs({ database, log: silentLog })
  await runner.start({ work: false })
  return runner
}

const measureEnqueue = async (database: Database): Promise<Row[]> => {
  await using runner = await startWithoutWork(database)
  const kind = kindOf('enqueue')
  const load = { concurrent: 8, ms: 900 }
  const rounds = await inTurn({
    event: () => repeat(() => database.transaction(writeEvent), load),
    job: () => repeat(() => database.transaction((tx) => runner.enqueue(tx, kind, { number: 0 })), load),
  })
  return [
    {
      what: 'transactions that enqueue a job, 8 at once',
      value: medianOf(rounds, ({ job }) => job.perSecond),
      unit: '/s',
    },
    ratioRow(
      '… : transactions that write an event',
      rounds,
      ({ job, event }) => job.perSecond / event.perSecond,
    ),
  ]
}
