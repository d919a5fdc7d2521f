import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { Problem } from '../../lib/problem.ts'
import type { FailedJob, OwnWork } from './failed-work.ts'
import type { JobKind } from './jobs.ts'
import { countsOf, enqueue, type JobsUnderTest, type Note, startWorker } from './started-worker.suite.ts'

const fragile: JobKind<Note> = { name: 'fragile', retries: 0, backoffSeconds: 1, expireSeconds: 60 }
const all = { kind: undefined, after: undefined, limit: 10 }

/** What an operator sees of failed jobs, and can do. */
export const describeFailedWork = (open: () => Promise<JobsUnderTest>): void => {
  test('a failed job is listed with its last error but without secrets, and runs again under the same id', async () => {
    await using server = await open()
    const secret = 'x'.repeat(43)
    let isRepaired = false
    await using worker = await startWorker(server, fragile, async () => {
      if (!isRepaired) throw new Error(`The token ${secret} was refused`)
    })
    await enqueue(server, worker.runner, fragile, { text: 'about' })
    const { failed } = worker.runner
    const { query } = server.database
    const job = await eventually(async () => (await failed.list(query, all))[0])
    assert.deepEqual(
      { kind: job.kind, attempts: job.attempts, error: job.error, data: job.data },
      { kind: 'fragile', attempts: 1, error: 'The token [hidden] was refused', data: { text: 'about' } },
    )
    assert.deepEqual(await failed.find(query, job.id), job)
    isRepaired = true
    const run = () => server.database.transaction((tx) => failed.runAgain(tx, job.id))
    assert.deepEqual((await Promise.all([run(), run(), run()])).toSorted(), [false, false, true])
    await eventually(() => worker.finished() === 1)
    assert.equal(worker.runs[1]?.id, worker.runs[0]?.id)
    assert.equal(await run(), false)
    assert.deepEqual(await failed.list(query, all), [])
    assert.equal((await countsOf(worker.runner, fragile)).failed, 0)
  })

  test('a job that fails again is among the failed ones again', async () => {
    await using server = await open()
    await using worker = await startWorker(server, fragile, () => Promise.reject(new Error('still broken')))
    await enqueue(server, worker.runner, fragile, { text: 'a' })
    const { failed } = worker.runner
    const first = async () => (await failed.list(server.database.query, all))[0]
    const job = await eventually(first)
    await server.database.transaction((tx) => failed.runAgain(tx, job.id))
    await eventually(async () => ((await first()) ?? job).id !== job.id)
    assert.equal(worker.runs.length, 2)
  })

  test('a kind that no release runs any more is refused, and stays', async () => {
    await using server = await open()
    await using worker = await startWorker(server, fragile, () => Promise.reject(new Error('broken')))
    await enqueue(server, worker.runner, fragile, { text: 'a' })
    const { query } = server.database
    const job = await eventually(async () => (await worker.runner.failed.list(query, all))[0])
    await using newer = await startWorker(server, { ...fragile, name: 'other' })
    const refused = server.database.transaction((tx) => newer.runner.failed.runAgain(tx, job.id))
    await assert.rejects(refused, (error) => error instanceof Problem && error.code === 'job_not_repeatable')
    assert.ok(await newer.runner.failed.find(query, job.id))
  })

  test('pages go over jobs and the failed work of services, newest first', async () => {
    await using server = await open()
    const elsewhere = failedElsewhere(['2100-01-01T00:00:00Z', '2000-01-01T00:00:00Z'])
    await using worker = await startWorker(
      server,
      fragile,
      () => Promise.reject(new Error('broken')),
      {},
      elsewhere,
    )
    const { failed } = worker.runner
    const { query } = server.database
    for (const text of ['a', 'b']) await enqueue(server, worker.runner, fragile, { text })
    await eventually(async () => (await failed.list(query, all)).length === 4)
    const listed = await failed.list(query, all)
    assert.deepEqual(
      listed.map(({ kind }) => kind),
      ['elsewhere', 'fragile', 'fragile', 'elsewhere'],
    )
    const paged: FailedJob[] = []
    for (let after: FailedJob | undefined; paged.length < 4; after = paged.at(-1)) {
      const page = await failed.list(query, { ...all, after, limit: 1 })
      assert.equal(page.length, 1)
      paged.push(...page)
    }
    assert.deepEqual(paged, listed)
    const counts = new Map((await worker.runner.counts()).map((count) => [count.kind, count.failed]))
    assert.deepEqual([counts.get('elsewhere'), counts.get('fragile')], [2, 2])
    assert.equal((await failed.list(query, { ...all, kind: 'elsewhere' })).length, 2)
    assert.equal((await failed.list(query, { ...all, kind: 'fragile' })).length, 2)
  })
}

const failedElsewhere = (times: readonly string[]): OwnWork => {
  const jobs = times.map(
    (time, index): FailedJob => ({
      id: `00000000-0000-7000-8000-00000000000${index}`,
      kind: 'elsewhere',
      createdAt: new Date(time),
      failedAt: new Date(time),
      attempts: 1,
      error: 'broken',
      reasons: undefined,
      data: {},
    }),
  )
  return {
    list: async (_query, { after, limit }) =>
      jobs.filter(({ failedAt }) => after === undefined || failedAt < after.failedAt).slice(0, limit),
    find: async (_query, id) => jobs.find((job) => job.id === id),
    runAgain: async () => false,
    count: async () => ({ waiting: 0, active: 0, failed: jobs.length, overdueSeconds: 0 }),
  }
}
