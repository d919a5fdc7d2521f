import type { Transaction } from '../database/database.ts'

/** A kind of work: its name in the queue and the shape of what it is given. Declared once, by the room that does it. */
export type JobKind<Data extends object> = {
  readonly name: string
  /** Tries after the first; with exponential backoff and jitter from `backoffSeconds`. */
  readonly retries: number
  readonly backoffSeconds: number
  /** A run that takes longer is given to another worker: the handler must be harmless to run twice. */
  readonly expireSeconds: number
  /** Never set; carries the type of the data. */
  readonly data?: Data
}

export type Job<Data> = {
  /** The same on every retry. */
  readonly id: string
  readonly data: Data
  /** Aborted when the process stops or the job expires. */
  readonly signal: AbortSignal
}

export type JobHandler<Data> = (job: Job<Data>) => Promise<void>

export type EnqueueOptions = {
  readonly startAfterSeconds?: number
  /**
   * At most one job of this kind with this key waits for its first run; a second enqueue is then a no-op. While the
   * transaction of the first is open, the second waits for it: keep such transactions short.
   */
  readonly singletonKey?: string
}

export type JobCounts = {
  readonly kind: string
  readonly waiting: number
  readonly active: number
  readonly failed: number
}

/**
 * Background work that survives the process.
 *
 * A job is durable when the transaction it was enqueued in commits, and never exists when that rolls back. It is run at
 * least once: after a crash, an expiry or a thrown error it runs again with the same id, until its retries are used up;
 * then it is kept as failed for the operator. Data holds ids, never secrets.
 */
export interface JobQueue {
  enqueue<Data extends object>(
    tx: Transaction,
    kind: JobKind<Data>,
    data: Data,
    options?: EnqueueOptions,
  ): Promise<void>
}

export interface JobRunner extends JobQueue, AsyncDisposable {
  /** Declares handlers before `start`. `concurrency` counts jobs of this kind running at once in this process. */
  handle<Data extends object>(
    kind: JobKind<Data>,
    handler: JobHandler<Data>,
    options?: { concurrency?: number },
  ): void
  /** Runs a kind without data on a cron expression (UTC), once across all processes. */
  schedule(kind: JobKind<object>, cron: string): void
  /** Creates what the queue needs; begins to work only where `work` is true (the worker role). */
  start(options: { work: boolean }): Promise<void>
  /** Takes no new jobs, lets running ones finish until the deadline, then hands them back to be run elsewhere. */
  stop(deadlineMs: number): Promise<void>
  /** Resolves when the queue answers; rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
  /** Of all processes together, by kind. `failed` are those kept for the operator. */
  counts(): Promise<JobCounts[]>
}
