import { randomUUID } from 'node:crypto'
import { fromKysely, PgBoss } from 'pg-boss'
import { because } from '@millseal/contract/reasons'
import { ExplainedError } from '../../lib/explained-error.ts'
import { startLoop } from '../../lib/loop.ts'
import { within } from '../../lib/within.ts'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { FailedWork, OwnWork } from '../../ports/jobs/failed-work.ts'
import type { EnqueueOptions, Job, JobCounts, JobHandler, JobKind, JobRunner } from '../../ports/jobs/jobs.ts'
import { followClockSetBack } from './clock-set-back.ts'
import { createFailedJobs, type SentAgain } from './failed-jobs.ts'
import { countJobs, dueKinds, handBack } from './job-table.ts'
import { KindWorker } from './kind-worker.ts'
import { Notifications } from './notifications.ts'
import {
  bossOptions,
  failedQueue,
  failedQueueOptions,
  type JobsLog,
  pollMs,
  queueOptions,
  queuePolicy,
} from './settings.ts'

export type PgBossJobsOptions = {
  readonly database: Database
  readonly log: JobsLog
  /** How late schedules follow when the clock of the database is set. */
  readonly clockCheckSeconds?: number
}

/** Jobs in the schema `pgboss` of the same database, so that a job is enqueued by the transaction that needs it. */
export const createPgBossJobs = (options: PgBossJobsOptions): JobRunner => new PgBossJobs(options)

const defaultConcurrency = 2
const closeMs = 3_000
/** An outage makes every worker report the same once a second. */
const repeatLogMs = 30_000

class PgBossJobs implements JobRunner {
  readonly #database: Database
  readonly #log: JobsLog
  readonly #clockCheckSeconds: number
  readonly #declared = new Map<
    string,
    {
      readonly kind: JobKind<object>
      readonly handler: JobHandler<object>
      readonly concurrency: number
    }
  >()
  readonly #schedules = new Map<string, { kind: JobKind<object>; cron: string }>()
  readonly #queues = new Map<string, Promise<void>>()
  readonly #reported = new Map<string, number>()
  readonly #ownWork = new Map<string, OwnWork>()
  readonly failed: FailedWork
  #workers: KindWorker[] = []
  #notifications: Notifications | undefined
  #loops: AsyncDisposable[] = []
  #boss: PgBoss | undefined
  #stopping: Promise<void> | undefined

  constructor({ database, log, clockCheckSeconds = 15 }: PgBossJobsOptions) {
    this.#database = database
    this.#log = log
    this.#clockCheckSeconds = clockCheckSeconds
    this.failed = createFailedJobs({
      ownWork: this.#ownWork,
      send: (tx, kind, job) => this.#sendAgain(tx, kind, job),
    })
  }

  handle<Data extends object>(
    kind: JobKind<Data>,
    handler: JobHandler<Data>,
    { concurrency = defaultConcurrency }: { concurrency?: number } = {},
  ): void {
    if (this.#boss !== undefined) throw new Error('Handlers are declared before the start')
    if (kind.name === failedQueue || this.#declared.has(kind.name)) {
      throw new Error(`The job kind ${kind.name} is taken`)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the queue gives back what enqueue took for this kind
    const parsed: JobHandler<object> = (job) => handler(job as Job<Data>)
    this.#declared.set(kind.name, { kind, handler: parsed, concurrency })
  }

  schedule(kind: JobKind<object>, cron: string): void {
    if (this.#boss !== undefined) throw new Error('Schedules are declared before the start')
    this.#schedules.set(kind.name, { kind, cron })
  }

  addOwnWork(kind: string, work: OwnWork): void {
    if (this.#boss !== undefined) throw new Error('Own work is declared before the start')
    this.#ownWork.set(kind, work)
  }

  async start({ work }: { work: boolean }): Promise<void> {
    if (this.#boss !== undefined) throw new Error('The job queue was started before')
    const boss = new PgBoss(bossOptions(this.#database, { work, clockCheckSeconds: this.#clockCheckSeconds }))
    boss.on('error', this.#report)
    boss.on('warning', (warning) => {
      // Its clock cannot be set, so this says nothing of the clock of the machine; `doctor` compares that one.
      if (!warning.message.startsWith('Warning: Clock skew')) this.#report(warning)
    })
    this.#boss = boss
    try {
      await boss.start()
      await boss.createQueue(failedQueue, failedQueueOptions)
      const kinds = [...this.#declared.values(), ...this.#schedules.values()].map(({ kind }) => kind)
      await Promise.all(kinds.map((kind) => this.#ensureQueue(boss, kind)))
      if (work) await this.#startWork(boss)
    } catch (error) {
      await this.stop(0)
      throw error
    }
  }

  async #startWork(boss: PgBoss): Promise<void> {
    for (const { kind, cron } of this.#schedules.values()) {
      await boss.schedule(kind.name, cron, {}, { tz: 'UTC' })
    }
    // A stop during the start has seen no workers: none may begin behind its back.
    this.#started()
    const shared = { boss, log: this.#log, onError: this.#report }
    this.#workers = [...this.#declared.values()].map((declared) => new KindWorker({ ...declared, ...shared }))
    for (const worker of this.#workers) worker.start()
    const wake = (kind?: string): void => {
      for (const worker of this.#workers) if (kind === undefined || kind === worker.kind) worker.wake()
    }
    const kinds = [...this.#declared.keys()]
    // Retries, delayed jobs, and jobs whose notification was lost: one statement for all kinds.
    const poll = async (): Promise<boolean> => {
      const due = await dueKinds(this.#database.query, kinds).catch(this.#reportNothing)
      for (const kind of due ?? []) wake(kind)
      return false
    }
    const followClock = async (): Promise<boolean> => {
      const seconds = await followClockSetBack(this.#database.query).catch(this.#reportNothing)
      if (seconds !== undefined)
        this.#log.warn({ seconds }, 'the clock of the database was set back: jobs and schedules follow it')
      return false
    }
    const log = this.#log
    this.#loops = [
      startLoop({ name: 'polling for due jobs', pass: poll, idleMs: pollMs, log }),
      startLoop({
        name: 'following the clock',
        pass: followClock,
        idleMs: this.#clockCheckSeconds * 1_000,
        log,
      }),
    ]
    this.#notifications = new Notifications({
      connection: this.#database.connection,
      onJob: wake,
      onError: this.#report,
    })
    await this.#notifications.listen()
  }

  async enqueue<Data extends object>(
    tx: Transaction,
    kind: JobKind<Data>,
    data: Data,
    { startAfterSeconds = 0, singletonKey }: EnqueueOptions = {},
  ): Promise<void> {
    const boss = this.#started()
    await this.#ensureQueue(boss, kind)
    const id = randomUUID()
    const options = { id, singletonKey: singletonKey ?? id, startAfter: startAfterSeconds }
    await boss.send(kind.name, data, { ...options, db: fromKysely(tx.withoutPlugins()) })
  }

  async enqueueAll<Data extends object>(
    tx: Transaction,
    kind: JobKind<Data>,
    datas: readonly Data[],
  ): Promise<void> {
    if (datas.length === 0) return
    const boss = this.#started()
    await this.#ensureQueue(boss, kind)
    const jobs = datas.map((data) => {
      const id = randomUUID()
      return { id, singletonKey: id, data }
    })
    await boss.insert(kind.name, jobs, { db: fromKysely(tx.withoutPlugins()) })
  }

  /** False if this release has no such kind: nobody would run the job. */
  async #sendAgain(tx: Transaction, name: string, { id, data }: SentAgain): Promise<boolean> {
    const declared = this.#declared.get(name)
    if (declared === undefined) return false
    const boss = this.#started()
    await this.#ensureQueue(boss, declared.kind)
    await boss.send(name, data, { id, singletonKey: id, db: fromKysely(tx.withoutPlugins()) })
    return true
  }

  /** Once per process and kind: what this release says of a kind holds for the jobs it enqueues. */
  #ensureQueue(boss: PgBoss, kind: JobKind<object>): Promise<void> {
    const known = this.#queues.get(kind.name)
    if (known !== undefined) return known
    const settings = queueOptions(kind)
    const ensured = (async () => {
      await boss.createQueue(kind.name, { ...settings, policy: queuePolicy })
      await boss.updateQueue(kind.name, settings)
    })()
    this.#queues.set(kind.name, ensured)
    ensured.catch(() => this.#queues.delete(kind.name))
    return ensured
  }

  stop(deadlineMs: number): Promise<void> {
    this.#stopping ??= this.#stop(deadlineMs)
    return this.#stopping
  }

  async #stop(deadlineMs: number): Promise<void> {
    const boss = this.#boss
    if (boss === undefined) return
    await within(deadlineMs, Promise.all(this.#workers.map((worker) => worker.drain())))
    await within(closeMs, Promise.all(this.#workers.map((worker) => this.#handBackUnfinished(worker))))
    await within(
      closeMs,
      Promise.all([
        ...this.#loops.map((loop) => loop[Symbol.asyncDispose]()),
        this.#notifications?.[Symbol.asyncDispose](),
        boss.stop({ graceful: false }),
      ]),
    )
  }

  async #handBackUnfinished(worker: KindWorker): Promise<void> {
    const attempts = await worker.abandon()
    if (attempts.length > 0) await handBack(this.#database.query, worker.kind, attempts)
  }

  /** A property, so that it can be handed on without its object. */
  readonly check = async (signal: AbortSignal): Promise<void> => {
    const boss = this.#started()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = (): void =>
      reject(new ExplainedError(because('job_queue_silent'), { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    try {
      await Promise.race([boss.schemaVersion(), aborted])
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async counts(): Promise<JobCounts[]> {
    const { query } = this.#database
    const own = [...this.#ownWork].map(async ([kind, work]) => ({ kind, ...(await work.count(query)) }))
    const [jobs, ...added] = await Promise.all([countJobs(query), ...own])
    return [...jobs, ...added]
  }

  #started(): PgBoss {
    if (this.#boss === undefined || this.#stopping !== undefined)
      throw new Error('The job queue is not running')
    return this.#boss
  }

  readonly #reportNothing = (problem: unknown): undefined => {
    this.#report(problem)
  }

  readonly #report = (problem: unknown): void => {
    const reason = problem instanceof Object && 'message' in problem ? String(problem.message) : 'unknown'
    const now = performance.now()
    if (this.#stopping !== undefined || now - (this.#reported.get(reason) ?? -repeatLogMs) < repeatLogMs)
      return
    for (const [old, at] of this.#reported) if (now - at > repeatLogMs) this.#reported.delete(old)
    this.#reported.set(reason, now)
    this.#log.warn({ reason }, 'the job queue reports a problem')
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop(0)
  }
}
