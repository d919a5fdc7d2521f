import type { Transaction } from '../database/database.ts'
import type { FailedWork, OwnWork, WorkCounts } from './failed-work.ts'

/** Declared once, by the service that handles the jobs. */
export type JobKind<Data extends object> = {
  /** The name of the queue. */
  readonly name: string
  /** Attempts after the first, with exponential backoff and jitter starting at `backoffSeconds`. */
  readonly retries: number
  readonly backoffSeconds: number
  /** After this time another worker runs the job too, so handlers must be idempotent. */
  readonly expireSeconds: number
  /** Never set; carries the type of the data. */
  readonly data?: Data
}

export type Job<Data> = {
  /** The same on every retry. */
  readonly id: string
  readonly data: Data
  /** Aborts if the process stops or the job expires. */
  readonly signal: AbortSignal
}

export type JobHandler<Data> = (job: Job<Data>) => Promise<void>

export type EnqueueOptions = {
  readonly startAfterSeconds?: number
  /**
   * At most one job of this kind and key waits for its first run; enqueuing another has no effect. The second caller
   * waits until the transaction of the first ends, so keep such transactions short.
   */
  readonly singletonKey?: string
}

export type JobCounts = WorkCounts & { readonly kind: string }

/**
 * Background jobs that survive the process.
 *
 * A job becomes durable when the transaction that enqueued it commits, and does not exist if that rolls back. It runs at
 * least once: after a crash, an expiry or an error it runs again with the same id. When its retries are exhausted, it
 * stays in the queue as failed for the operator. Data contains ids, never secrets.
 */
export interface JobQueue {
  enqueue<Data extends object>(
    tx: Transaction,
    kind: JobKind<Data>,
    data: Data,
    options?: EnqueueOptions,
  ): Promise<void>
  /** One job for each of these. */
  enqueueAll<Data extends object>(tx: Transaction, kind: JobKind<Data>, datas: readonly Data[]): Promise<void>
}

export interface JobRunner extends JobQueue, AsyncDisposable {
  /** Call before `start`. `concurrency` is the maximum of parallel jobs of this kind in this process. */
  handle<Data extends object>(
    kind: JobKind<Data>,
    handler: JobHandler<Data>,
    options?: { concurrency?: number },
  ): void
  /** Enqueues a job without data by a cron expression (UTC), once for all processes. */
  schedule(kind: JobKind<object>, cron: string): void
  /** Adds work that a service claims from its own tables to `failed` and `counts`. Call before `start`. */
  addOwnWork(kind: string, work: OwnWork): void
  /** The failed jobs of all processes, and the work that was added. */
  readonly failed: FailedWork
  /** Creates the queue's tables, and runs jobs if `work` is true (the worker role). */
  start(options: { work: boolean }): Promise<void>
  /** Takes no new jobs and waits for running ones until the deadline; then returns them to the queue. */
  stop(deadlineMs: number): Promise<void>
  /** Resolves if the queue answers; rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
  /** Counts the jobs of all processes, and the work that was added, by kind. */
  counts(): Promise<JobCounts[]>
}
