import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, generousDeadline, generousMs } from '../../../test/eventually.ts'
import { describeFailedWork } from './failed-work.suite.ts'
import type { JobKind } from './jobs.ts'
import { countsOf, enqueue, type JobsUnderTest, type Note, startWorker } from './started-worker.suite.ts'

const minuteMs = 60_000
const note: JobKind<Note> = { name: 'note', retries: 2, backoffSeconds: 1, expireSeconds: 60 }

/** The guarantees of every job runner. */
export const describeJobs = (name: string, open: () => Promise<JobsUnderTest>): void => {
  describe(`${name} jobs`, { concurrency: 4 }, () => {
    describeExistence(open)
    describeRetries(open)
    describeSharing(open)
    describeOrder(open)
    describeStops(open)
    describeStarts(open)
    describeFailedWork(open)
  })
}

const describeExistence = (open: () => Promise<JobsUnderTest>): void => {
  test('a schedule runs once for all processes', async () => {
    await using server = await open()
    const start = () => startWorker(server, note, undefined, { cron: '* * * * *' })
    const startedAt = Date.now()
    await using one = await start()
    await using other = await start()
    const runs = await eventually(() => {
      const all = [...one.runs, ...other.runs]
      return all.length >= 2 && all
    })
    // A minute is due until the next one, so that of the start counts too. Whatever is delayed only makes this larger.
    const lastAt = Math.max(...runs.map(({ at }) => at))
    const due = Math.floor(lastAt / minuteMs) - Math.floor(startedAt / minuteMs - 1)
    assert.ok(runs.length <= due, `${runs.length} runs for ${due} minutes`)
  })

  test('a job of a committed transaction runs once, with its data', async () => {
    await using server = await open()
    await using worker = await startWorker(server, note)
    await enqueue(server, worker.runner, note, { text: 'Grüße' })
    const [run] = await eventually(() => worker.runs.length > 0 && worker.runs)
    assert.deepEqual(run?.data, { text: 'Grüße' })
    await eventually(async () => (await countsOf(worker.runner, note)).active === 0)
    assert.equal(worker.runs.length, 1)
  })

  test('a job of a transaction that rolls back never exists', async () => {
    await using server = await open()
    await using worker = await startWorker(server, note)
    const undone = server.database.transaction(async (tx) => {
      await worker.runner.enqueue(tx, note, { text: 'undone' })
      throw new Error('no')
    })
    await assert.rejects(undone, /no/)
    assert.equal((await countsOf(worker.runner, note)).waiting, 0)
    await enqueue(server, worker.runner, note, { text: 'done' })
    await eventually(() => worker.runs.length > 0)
    assert.deepEqual(
      worker.runs.map(({ data }) => data.text),
      ['done'],
    )
  })
}

const describeRetries = (open: () => Promise<JobsUnderTest>): void => {
  test('a job that throws is retried later with the same id, then stays as failed; its data is never logged', async () => {
    await using server = await open()
    const kind = { ...note, retries: 1 }
    await using worker = await startWorker(server, kind, async () => {
      throw new Error('the printer is on fire')
    })
    await enqueue(server, worker.runner, kind, { text: 'between-us' })
    await eventually(async () => (await countsOf(worker.runner, kind)).failed === 1)
    const [first, second, ...more] = worker.runs
    assert.equal(first?.id, second?.id)
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 1_000, 'waits for its backoff')
    assert.equal(more.length, 0)
    assert.deepEqual(await countsOf(worker.runner, kind), {
      kind: 'note',
      waiting: 0,
      active: 0,
      failed: 1,
      overdueSeconds: 0,
    })
    assert.match(server.logged(), /"kind":"note".*"attempt":2,"reason":"the printer is on fire"/)
    assert.doesNotMatch(server.logged(), /between-us/)
  })
}

const describeSharing = (open: () => Promise<JobsUnderTest>): void => {
  test('a process without the worker role enqueues, and another one runs the job', async () => {
    await using server = await open()
    await using api = await startWorker(server, note, undefined, { work: false })
    await enqueue(server, api.runner, note, { text: 'a' })
    await enqueue(server, api.runner, { ...note, name: 'never-declared' }, { text: 'b' })
    await using worker = await startWorker(server, note)
    await eventually(() => worker.runs.length === 1)
    assert.equal(api.runs.length, 0)
    const counts = await worker.runner.counts()
    assert.equal(counts.find(({ kind }) => kind === 'never-declared')?.waiting, 1)
  })

  test('at most one job waits per singleton key; a running one does not count', async () => {
    await using server = await open()
    await using api = await startWorker(server, note, undefined, { work: false })
    const keyed = (singletonKey: string) =>
      enqueue(server, api.runner, note, { text: singletonKey }, { singletonKey })
    for (const key of ['a', 'a', 'b', 'a']) await keyed(key)
    for (const text of ['free', 'free']) await enqueue(server, api.runner, note, { text })
    assert.equal((await countsOf(api.runner, note)).waiting, 4)
    const gate = Promise.withResolvers<void>()
    await using worker = await startWorker(server, note, () => gate.promise, { concurrency: 10 })
    await eventually(() => worker.runs.length === 4)
    await keyed('a')
    gate.resolve()
    await eventually(() => worker.runs.length === 5)
  })
}

const describeOrder = (open: () => Promise<JobsUnderTest>): void => {
  test('a job does not run before its start time', async () => {
    await using server = await open()
    await using worker = await startWorker(server, note)
    const enqueued = Date.now()
    await enqueue(server, worker.runner, note, { text: 'later' }, { startAfterSeconds: 1 })
    const [run] = await eventually(() => worker.runs.length > 0 && worker.runs)
    assert.ok((run?.at ?? 0) - enqueued >= 1_000)
  })

  test('the allowed number of jobs run in parallel, and a slow one does not delay others', async () => {
    await using server = await open()
    await using api = await startWorker(server, note, undefined, { work: false })
    for (const text of ['slow', ...Array.from({ length: 20 }, () => 'fast')])
      await enqueue(server, api.runner, note, { text })
    const gate = Promise.withResolvers<void>()
    let atOnce = 0
    let most = 0
    await using worker = await startWorker(
      server,
      note,
      async ({ data }) => {
        atOnce += 1
        most = Math.max(most, atOnce)
        await (data.text === 'slow' ? gate.promise : sleep(5))
        atOnce -= 1
      },
      { concurrency: 3 },
    )
    await eventually(() => worker.runs.length === 21)
    assert.equal(most, 3)
    gate.resolve()
  })

  test('a job that takes too long is aborted and runs again with the same id', async () => {
    await using server = await open()
    const kind = { ...note, expireSeconds: 1 }
    await using worker = await startWorker(server, kind, async ({ signal }) => {
      if (worker.runs.length === 1) await once(signal, 'abort')
    })
    await enqueue(server, worker.runner, kind, { text: 'long' })
    await eventually(() => worker.runs.length >= 2)
    assert.equal(worker.runs[0]?.id, worker.runs[1]?.id)
    assert.ok(worker.runs[0]?.signal.aborted)
  })
}

const describeStops = (open: () => Promise<JobsUnderTest>): void => {
  test('stop waits for the running job, starts no other and loses none', async () => {
    await using server = await open()
    const gate = Promise.withResolvers<void>()
    const slowly = async () => {
      await gate.promise
      for (let check = 0; check < 10; check += 1) await server.database.check(generousDeadline())
    }
    await using worker = await startWorker(server, note, slowly, { concurrency: 1 })
    for (const text of ['first', 'second', 'third']) await enqueue(server, worker.runner, note, { text })
    await eventually(() => worker.runs.length === 1)
    const stopping = worker.runner.stop(generousMs)
    gate.resolve()
    await stopping
    assert.equal(worker.runs.length, 1)
    assert.equal(worker.finished(), 1)
    await using next = await startWorker(server, note)
    await eventually(() => next.runs.length === 2)
    assert.deepEqual(next.runs.map(({ data }) => data.text).toSorted(), ['second', 'third'])
    assert.equal((await countsOf(next.runner, note)).failed, 0)
  })

  test('a job that exceeds the stop deadline goes to another process at once and keeps its retries', async () => {
    await using server = await open()
    const kind = { ...note, retries: 0 }
    const never = Promise.withResolvers<void>()
    await using worker = await startWorker(server, kind, () => never.promise)
    await using next = await startWorker(server, kind, undefined, { work: false })
    await enqueue(server, worker.runner, kind, { text: 'endless' })
    await eventually(() => worker.runs.length === 1)
    await worker.runner.stop(100)
    assert.ok(worker.runs[0]?.signal.aborted)
    assert.equal((await countsOf(next.runner, kind)).waiting, 1)
    await using successor = await startWorker(server, kind)
    await eventually(() => successor.finished() === 1)
    assert.equal(successor.runs[0]?.id, worker.runs[0]?.id)
    never.resolve()
    await eventually(async () => (await countsOf(successor.runner, kind)).active === 0)
    assert.deepEqual(await countsOf(successor.runner, kind), {
      kind: 'note',
      waiting: 0,
      active: 0,
      failed: 0,
      overdueSeconds: 0,
    })
  })
}

const describeStarts = (open: () => Promise<JobsUnderTest>): void => {
  test('many processes may start at the same time on an empty database', async () => {
    await using server = await open()
    await using opened = new AsyncDisposableStack()
    const started = await Promise.allSettled(Array.from({ length: 5 }, () => startWorker(server, note)))
    const workers = started.map((result) => {
      assert.ok(result.status === 'fulfilled', String(result.status === 'rejected' && result.reason))
      return opened.use(result.value)
    })
    const [first] = workers
    assert.ok(first)
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((text) => enqueue(server, first.runner, note, { text: String(text) })),
    )
    await eventually(() => workers.flatMap(({ runs }) => runs).length === 6)
  })

  test('stopping during the start leaves nothing running', async () => {
    await using server = await open()
    await using api = await startWorker(server, note, undefined, { work: false })
    await enqueue(server, api.runner, note, { text: 'kept' })
    for (const afterMs of [0, 5, 20, 40]) {
      const runner = server.createRunner()
      runner.handle(note, async () => {})
      const starting = runner.start({ work: true }).catch(() => 'stopped')
      await sleep(afterMs)
      await runner.stop(1_000)
      await starting
      await assert.rejects(runner.check(generousDeadline()))
    }
    const { waiting, active, failed } = await countsOf(api.runner, note)
    assert.equal(active + failed, 0)
    assert.ok(waiting <= 1)
  })

  test('check reports whether the queue runs; before the start and after the stop, enqueuing fails', async () => {
    await using server = await open()
    await server.createRunner().stop(0)
    await using started = server.createRunner()
    await assert.rejects(started.check(generousDeadline()))
    await assert.rejects(enqueue(server, started, note, { text: 'early' }))
    await started.start({ work: true })
    await started.check(generousDeadline())
    await assert.rejects(started.check(AbortSignal.abort()))
    await started.stop(1_000)
    await started.stop(1_000)
    await assert.rejects(started.check(generousDeadline()))
    await assert.rejects(enqueue(server, started, note, { text: 'late' }))
  })
}
