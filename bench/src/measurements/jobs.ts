import { createPgBossJobs } from '../../../server/src/adapters/jobs/pg-boss.ts'
import type { JobKind } from '../../../server/src/ports/jobs/jobs.ts'
import { silentLog } from '../../../server/test/silent-log.ts'
import { openDurableDatabase, writeEvent } from '../durable.ts'
import { alternate, arrivals, rateOf, repeat } from '../rounds.ts'
import type { Bench } from '../row.ts'

const many = 1_500
const eight = { concurrent: 8, ms: 900 }

type Numbered = { readonly number: number }
const kindOf = (name: string): JobKind<Numbered> => ({
  name,
  retries: 0,
  backoffSeconds: 1,
  expireSeconds: 60,
})
const [single, backlog, unhandled] = [kindOf('bench-single'), kindOf('bench-backlog'), kindOf('bench-none')]

/** A transaction enqueues a job, and a worker starts it after the commit. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using database = await openDurableDatabase(folder)
  await using runner = createPgBossJobs({ database, log: silentLog })
  const enqueue = (kind: JobKind<Numbered>, number: number) =>
    database.transaction((tx) => runner.enqueue(tx, kind, { number }))
  let begun = (): void => {}
  runner.handle(single, async () => begun())
  const [released, done] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
  let seen = 0
  runner.handle(backlog, async () => {
    await released.promise
    seen += 1
    if (seen === many) done.resolve(many)
  })
  await runner.start({ work: true })
  const latency = await arrivals(300, (number, arrived) => {
    begun = arrived
    return enqueue(single, number)
  })
  report.latency('commit → job handler', latency, { note: '300 jobs, one by one' })
  await database.transaction(async (tx) => {
    for (let number = 0; number < many; number += 1) await runner.enqueue(tx, backlog, { number })
  })
  released.resolve()
  const rate = await rateOf(() => done.promise)
  report.rate(`a backlog of ${many} empty jobs worked off`, rate, { note: '2 at once, the default' })
  const { medians, ratios } = await alternate({
    event: () => repeat(() => database.transaction((tx) => writeEvent(tx)), eight),
    job: () => repeat((number) => enqueue(unhandled, number), eight),
  })
  report.rate('durable transactions with one event, 8 at once', medians.event)
  report.rate('… that enqueue a job', medians.job)
  const cost = ratios(({ job, event }) => job.cpuMicroseconds / event.cpuMicroseconds)
  report.ratio('… processor time, a job : an event', cost)
}
