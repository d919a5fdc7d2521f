import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openTestDatabase } from '../../../test/database.ts'
import { eventually, generousDeadline, generousMs } from '../../../test/eventually.ts'
import { startSeparatePostgres } from '../../../test/separate-postgres.ts'
import { silentLog } from '../../../test/silent-log.ts'
import type { Database } from '../../ports/database/database.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import { describeJobs } from '../../ports/jobs/jobs.suite.ts'
import { countsOf, enqueue, type JobsUnderTest, startWorker } from '../../ports/jobs/started-worker.suite.ts'
import { openPostgres } from '../database/postgres.ts'
import { createPgBossJobs } from './pg-boss.ts'
import { pollMs } from './settings.ts'
import type { Begin } from './worker-process.suite.ts'

const note = { name: 'note', retries: 2, backoffSeconds: 1, expireSeconds: 60 }

const open = async (): Promise<JobsUnderTest> => serverOn(await openTestDatabase({ migrated: false }))

const serverOn = (database: Database): JobsUnderTest => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  return {
    database,
    createRunner: () => createPgBossJobs({ database, log, clockCheckSeconds: 1 }),
    logged: () => lines.join(''),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const isDown = (runner: JobRunner): Promise<boolean> =>
  runner.check(generousDeadline()).then(
    () => false,
    () => true,
  )

describeJobs('pg-boss', open)

describe('jobs outlive', { concurrency: 2 }, () => {
  test('a process that is killed in the middle: another one runs the job again, under the same id', async () => {
    await using server = await open()
    const kind = { ...note, expireSeconds: 2 }
    const doomed = fork(fileURLToPath(new URL('worker-process.suite.ts', import.meta.url)))
    try {
      doomed.send({ connection: server.database.connection, kind } satisfies Begin)
      await using api = await startWorker(server, kind, undefined, { work: false })
      await enqueue(server, api.runner, kind, { text: 'precious' })
      const [id] = await once(doomed, 'message')
      doomed.kill('SIGKILL')
      await once(doomed, 'exit')
      await using heir = await startWorker(server, kind)
      await eventually(() => heir.finished() >= 1)
      assert.equal(heir.runs[0]?.id, id)
      assert.deepEqual(heir.runs[0]?.data, { text: 'precious' })
    } finally {
      doomed.kill('SIGKILL')
    }
  })

  test('a database that dies and comes back: no job and no process is lost, and little is logged', async () => {
    await using outage = await startOutage()
    const { server, worker } = outage
    await enqueue(server, worker.runner, note, { text: 'running' })
    await eventually(() => worker.runs.length === 1)
    // To commit this one waits for the disk, and so takes the claim of the first one there.
    await enqueue(server, worker.runner, note, { text: 'waiting' })
    await outage.happen()
    await eventually(() => worker.finished() >= 2)
    await worker.runner.check(generousDeadline())
    await enqueue(server, worker.runner, note, { text: 'after' })
    await eventually(() => worker.finished() >= 3)
    assert.deepEqual(
      worker.runs.map(({ data }) => data.text),
      ['running', 'waiting', 'after'],
      'the job that ran through the outage is settled, not repeated',
    )
    assert.ok(server.logged().split('\n').length < 20)
  })

  test('a database that dies before the claim of a job reached its disk: that job may run twice, none is lost', async () => {
    await using outage = await startOutage()
    const { server, worker } = outage
    const both = [{ text: 'claimed' }, { text: 'waiting' }]
    await server.database.transaction((tx) => worker.runner.enqueueAll(tx, note, both))
    await eventually(() => worker.runs.length === 1)
    await outage.happen()
    const first = worker.runs[0]?.data.text
    await eventually(() => worker.runs.some(({ data }) => data.text !== first))
    await eventually(async () => {
      const { waiting, active, failed } = await countsOf(worker.runner, note)
      return waiting + active + failed === 0
    })
    assert.ok(worker.runs.length <= 3, 'at most the job that was claimed runs again')
  })
})

/** A worker of one job at a time, on a database of its own. Its first job does not end before the database has crashed. */
const startOutage = async () => {
  await using made = new AsyncDisposableStack()
  const postgres = made.use(await startSeparatePostgres())
  const database = openPostgres({
    connection: postgres.connectionString,
    applicationName: 'outage',
    maxConnections: 4,
    connectTimeoutMs: generousMs,
    log: silentLog,
  })
  const server = made.use(serverOn(database))
  const gate = Promise.withResolvers<void>()
  const worker = made.use(await startWorker(server, note, () => gate.promise, { concurrency: 1 }))
  const owned = made.move()
  return {
    server,
    worker,
    async happen() {
      await postgres.crash()
      gate.resolve()
      // The server's own processes outlive it by a moment.
      await eventually(() => isDown(worker.runner))
      await eventually(() => server.logged() !== '')
      await postgres.start()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Sets what pg-boss, alone of all, takes for the clock of the database. */
const setClock = (database: Database, days: number) =>
  sql`create or replace function pgboss.job_now() returns timestamptz language sql stable
    as ${sql.lit(`select now() + interval '${days} days'`)}`.execute(database.query)

type StoredJob = { readonly text: string; readonly state: string; readonly dueInSeconds: number }

const findJobs = async (database: Database, kind: string): Promise<Record<string, StoredJob>> => {
  const { rows } = await sql<StoredJob>`
    select data ->> 'text' as text, state::text, extract(epoch from start_after - pgboss.job_now())::int as "dueInSeconds"
    from pgboss.job where name = ${kind}`.execute(database.query)
  return Object.fromEntries(rows.map((row) => [row.text, row]))
}

describe('a clock of the database that is set back by 200 days and forward again', () => {
  test('stops no schedule, keeps delays, and jobs of dead workers are found', async () => {
    await using server = await open()
    const { database } = server
    const other = { ...note, name: 'other', expireSeconds: 1 }
    await using api = await startWorker(server, other, undefined, { work: false })
    await enqueue(server, api.runner, other, { text: 'delayed' }, { startAfterSeconds: 600 })
    await using schedule = await startWorker(server, note, undefined, { cron: '* * * * *' })
    await eventually(() => schedule.runs.length > 0)
    await enqueue(server, api.runner, other, { text: 'orphaned' })
    // As a worker leaves it that dies.
    await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()
      where data ->> 'text' = 'orphaned'`.execute(database.query)
    await setClock(database, -200)
    const before = schedule.runs.length
    await eventually(() => schedule.runs.length > before, { what: 'the schedule after a jump back' })
    await eventually(async () => (await findJobs(database, 'other'))['orphaned']?.state !== 'active')
    const { delayed } = await findJobs(database, 'other')
    assert.ok(delayed && delayed.dueInSeconds <= 600, `due in ${delayed?.dueInSeconds} s`)
    await setClock(database, 0)
    const again = schedule.runs.length
    await eventually(() => schedule.runs.length > again, { what: 'the schedule after a jump forward' })
  })
})

describe('a failed job', { concurrency: 2 }, () => {
  test('keeps only the message of what its handler threw', async () => {
    await using server = await open()
    const kind = { ...note, retries: 0 }
    await using worker = await startWorker(server, kind, async () => {
      throw Object.assign(new Error('refused', { cause: new Error('hidden cause') }), {
        detail: 'hidden detail',
      })
    })
    await enqueue(server, worker.runner, kind, { text: 'x' })
    await eventually(async () => (await worker.runner.counts())[0]?.failed === 1)
    const { rows } = await sql`select output, source_output from pgboss.job`.execute(server.database.query)
    assert.match(JSON.stringify(rows), /refused/)
    assert.doesNotMatch(JSON.stringify(rows) + server.logged(), /hidden/)
  })

  test('is kept for 30 days; one that waits outlives a clock that is wrong by years', async () => {
    await using server = await open()
    const kind = { ...note, retries: 0 }
    await using worker = await startWorker(server, kind, async () => Promise.reject(new Error('no')))
    await enqueue(server, worker.runner, kind, { text: 'x' })
    await enqueue(server, worker.runner, kind, { text: 'y' }, { startAfterSeconds: 86_400 })
    await eventually(async () => (await worker.runner.counts())[0]?.failed === 1)
    const { rows } = await sql<{ name: string; days: number }>`
      select name, extract(day from keep_until - now())::int as days from pgboss.job
      where state = 'created' order by name`.execute(server.database.query)
    assert.deepEqual(
      rows.map(({ name, days }) => [name, days]),
      [
        ['failed', 29],
        ['note', 3_650],
      ],
    )
  })
})

describe('the way from commit to handler', () => {
  test('is a notification, and not the next look for due jobs', async (t) => {
    await using server = await open()
    await using worker = await startWorker(server, note)
    const latencies: number[] = []
    for (let count = 1; count <= 200; count += 1) {
      await enqueue(server, worker.runner, note, { text: '' })
      const committed = Date.now()
      const run = await eventually(() => worker.runs[count - 1] ?? false)
      latencies.push(run.at - committed)
    }
    const sorted = latencies.toSorted((one, other) => one - other)
    const [p50 = 0, p99 = 0] = [sorted[99], sorted[197]]
    t.diagnostic(`commit to handler: p50 ${p50} ms, p99 ${p99} ms`)
    // Without it each would wait for the look after the one that found the job before.
    assert.ok(p50 < pollMs / 2)
  })
})
