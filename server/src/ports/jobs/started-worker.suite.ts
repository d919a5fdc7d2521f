import assert from 'node:assert/strict'
import type { Database } from '../database/database.ts'
import type { OwnWork } from './failed-work.ts'
import type { EnqueueOptions, Job, JobCounts, JobKind, JobRunner } from './jobs.ts'

export type Note = { text: string }
type Run = Job<Note> & { readonly at: number }

/** Each runner acts like another process. Disposing this also drops the database. */
export interface JobsUnderTest extends AsyncDisposable {
  readonly database: Database
  createRunner(): JobRunner
  /** The log so far, as printed. */
  logged(): string
}

export interface StartedWorker extends AsyncDisposable {
  readonly runner: JobRunner
  readonly runs: Run[]
  finished(): number
}

export const startWorker = async (
  server: JobsUnderTest,
  kind: JobKind<Note>,
  handler: (job: Job<Note>) => Promise<unknown> = async () => {},
  { work = true, concurrency = 2, cron }: { work?: boolean; concurrency?: number; cron?: string } = {},
  ownWork?: OwnWork,
): Promise<StartedWorker> => {
  const runner = server.createRunner()
  const runs: Run[] = []
  let finished = 0
  const handle = async (job: Job<Note>): Promise<void> => {
    runs.push({ ...job, at: Date.now() })
    await handler(job)
    finished += 1
  }
  runner.handle(kind, handle, { concurrency })
  if (ownWork !== undefined) runner.addOwnWork('elsewhere', ownWork)
  if (cron !== undefined) runner.schedule(kind, cron)
  await runner.start({ work })
  return { runner, runs, finished: () => finished, [Symbol.asyncDispose]: () => runner.stop(0) }
}

export const enqueue = (
  { database }: JobsUnderTest,
  runner: JobRunner,
  kind: JobKind<Note>,
  data: Note,
  options?: EnqueueOptions,
): Promise<void> => database.transaction((tx) => runner.enqueue(tx, kind, data, options))

export const countsOf = async (runner: JobRunner, { name }: JobKind<Note>): Promise<JobCounts> => {
  const found = (await runner.counts()).find(({ kind }) => kind === name)
  assert.ok(found)
  return found
}
