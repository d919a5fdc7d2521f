import { type Clock, type ConstructorOptions, type Queue, systemClock } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../../ports/database/database.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { preparingClient } from '../database/preparing-client.ts'
import { answerTimeoutMs } from '../database/notice-loss.ts'

export type JobsLog = Logger

export const schema = 'pgboss'
/** Where a job that used up its retries is kept for the operator. */
export const failedQueue = 'failed'

/** A worker that died silently is noticed after this long, however long the job may take. */
export const heartbeatSeconds = 30
/** How late a retry, or a job whose notification was lost, may begin. */
export const pollMs = 2_000

const daySeconds = 86_400

/**
 * With the clock of the machine, pg-boss waits until that has caught up after it was set back. This one starts with it
 * and cannot be set; what is stored and due is decided by the clock of the database.
 */
const startedAtMs = Date.now() - performance.now()
const steadyClock: Clock = { ...systemClock, now: () => startedAtMs + performance.now() }

export const bossOptions = (
  database: Database,
  { work, clockCheckSeconds }: { readonly work: boolean; readonly clockCheckSeconds: number },
): ConstructorOptions => ({
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same options of pg, less an explicit undefined
  ...({
    ...database.connection,
    Client: preparingClient({ connectTimeoutMs: database.connection.connectionTimeoutMillis }),
    connectionTimeoutMillis: 0,
    query_timeout: answerTimeoutMs,
    // What the queue forgets in a crash of the database it does again: it never waits for the disk. A job that is
    // enqueued is written by the transaction that needs it, and that one waits.
    options: '-c synchronous_commit=off',
  } as Pick<ConstructorOptions, 'connectionString'>),
  application_name: 'millseal-jobs',
  clock: steadyClock,
  clockMonitorIntervalSeconds: clockCheckSeconds,
  schema,
  max: work ? 4 : 2,
  supervise: work,
  schedule: work,
  // Expired and orphaned jobs are looked for this often; it also bounds how late a killed worker's job runs again.
  superviseIntervalSeconds: 15,
  monitorIntervalSeconds: 15,
  maintenanceIntervalSeconds: 3_600,
  cronMonitorIntervalSeconds: 15,
  cronWorkerIntervalSeconds: 15,
  // Jobs that depend on jobs: not used.
  flowIntervalSeconds: 3_600,
})

export const failedQueueOptions: Omit<Queue, 'name'> = {
  retentionSeconds: 30 * daySeconds,
  deleteAfterSeconds: 30 * daySeconds,
}

export const queueOptions = (kind: JobKind<object>) => ({
  retryLimit: kind.retries,
  retryDelay: kind.backoffSeconds,
  retryBackoff: true,
  retryDelayMax: Math.max(kind.backoffSeconds, daySeconds / 4),
  expireInSeconds: kind.expireSeconds,
  heartbeatSeconds,
  // One that waits is never too old: only a clock that is wrong makes it look so.
  retentionSeconds: 3_650 * daySeconds,
  // Long enough to look at; the failed ones are kept elsewhere, and a small table is a fast one.
  deleteAfterSeconds: 3_600,
  deadLetter: failedQueue,
  notify: true,
})

/** One waiting job per singleton key: every job has one, most of them a key of their own. */
export const queuePolicy = 'short'
