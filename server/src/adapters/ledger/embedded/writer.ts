import type { Mode } from '@millseal/contract'
import type { VerifiedTransaction } from '@millseal/proof'
import type { Logger } from 'pino'
import type { Database, Query } from '../../../ports/database/database.ts'
import { LedgerStopped, LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { type Loop, startLoop } from '../../../lib/loop.ts'
import { type DatabaseSession, openSession } from '../../database/session.ts'
import type { Appender } from './appender.ts'
import { type Batches, createBatches, type Outcome } from './batches.ts'
import { channelOf, channels } from './channels.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { ClockRefused } from './log-clock.ts'
import type { SubmissionQueue } from './submission-queue.ts'
import { tryWriterLock, writerApplication, writerSetup } from './writer-lock.ts'

export type WriterTerm = { readonly isWriter: boolean; readonly begun: number }

export type WriterDependencies = {
  readonly mode: Mode
  readonly database: Database
  readonly queue: SubmissionQueue
  readonly log: Logger
  openAppender(query: Query): Promise<Appender>
  /** Takes notice of what operators have decided. */
  refresh(): Promise<void>
  onCommitted(height: number): void
  /** A process has recorded what a quorum of cosigners confirms. */
  onConfirmed(): void
}

/** How often a follower tries to acquire the lock. */
const retryMs = 500
/** How often the writer looks for submissions without a notification. */
const pollMs = 5_000

/** `obstacle`: why this process acquired the lock but could not write. It stays until the lock was tried again. */
type Follower = {
  readonly kind: 'follower'
  readonly session: DatabaseSession
  readonly obstacle?: Error | undefined
}
type State =
  | { readonly kind: 'disconnected'; readonly obstacle?: Error | undefined }
  | Follower
  | {
      readonly kind: 'writer'
      readonly session: DatabaseSession
      readonly appender: Appender
      readonly batches: Batches
    }
  | { readonly kind: 'damaged'; readonly obstacle: LedgerDamaged }

/**
 * Writes a log, or hands submissions to the process that does. Processes compete for the writer's lock, which PostgreSQL
 * releases when its holder dies. The time from acquiring the lock to releasing it is a term.
 */
export class Writer implements AsyncDisposable {
  readonly #deps: WriterDependencies
  readonly #closing = new AbortController()
  #first: Promise<void> | undefined
  #loop: Loop | undefined
  #state: State = { kind: 'disconnected' }
  #terms = 0
  /** Resolves when the writes of earlier terms are finished and their lock is released. */
  #released = Promise.resolve()

  constructor(deps: WriterDependencies) {
    this.#deps = deps
  }

  /** Resolves when this process or another one writes. Rejects with `LedgerDamaged` if the log must not be changed. */
  async start(): Promise<void> {
    this.#first = this.#acquireAndServe()
    await this.#first
    if (this.#closing.signal.aborted) return
    // Its first pass answers what was submitted while the first run looked.
    this.#loop = startLoop({
      name: `writing the ${this.#deps.mode} ledger`,
      pass: async () => {
        await this.#acquireAndServe()
        return false
      },
      idleMs: () =>
        this.#state.kind === 'writer' || this.obstacle instanceof ClockRefused ? pollMs : retryMs,
      // Processes wait for the answer to each submission.
      spacingMs: 0,
      log: this.#deps.log,
    })
  }

  /** Why nothing new is written: permanent if the log is damaged, otherwise temporary. */
  get obstacle(): Error | undefined {
    const state = this.#state
    return state.kind === 'writer' ? state.appender.obstacle : state.obstacle
  }

  /** Whether this process writes the log, and how many terms it has begun. */
  get term(): WriterTerm {
    return { isWriter: this.#state.kind === 'writer', begun: this.#terms }
  }

  async submit(transaction: VerifiedTransaction, signal: AbortSignal): Promise<Outcome> {
    const state = this.#state
    if (state.kind !== 'writer' && state.obstacle !== undefined) throw unavailable(state.obstacle)
    return state.kind === 'writer'
      ? await untilAborted(state.batches.submit(transaction), signal)
      : await this.#deps.queue.submit(transaction, signal)
  }

  async #acquireAndServe(): Promise<void> {
    const { queue, log, refresh } = this.#deps
    if (this.#state.kind === 'damaged') return
    // Finish pending writes of the previous term before acquiring the lock again.
    await this.#released
    const before = this.#state
    if (before.kind === 'disconnected') {
      this.#state = { kind: 'follower', session: await this.#connect(), obstacle: before.obstacle }
    }
    if (this.#state.kind === 'follower') await this.#acquire(this.#state)
    await queue.collect()
    const state = this.#state
    if (state.kind !== 'writer') return
    if (state.appender.obstacle !== undefined) await refresh()
    if (state.appender.isStale) state.batches.whenIdle(state.appender.renew)
    queue
      .serve((transaction) => state.batches.submit(transaction))
      .catch((error: unknown) => log.warn({ err: error }, 'submissions to the ledger were not served'))
  }

  async #connect(): Promise<DatabaseSession> {
    const { mode, database, onCommitted, onConfirmed } = this.#deps
    const session = await openSession({
      connection: database.connection,
      applicationName: writerApplication(mode),
      channels: channels.map((channel) => channelOf(mode, channel)),
      setup: writerSetup,
      onNotification: (channel, payload) => {
        if (channel === channelOf(mode, 'committed')) onCommitted(Number(payload))
        else if (channel === channelOf(mode, 'confirmed')) onConfirmed()
        else this.#loop?.wake()
      },
      onLost: (error) => this.#release(session, error),
    })
    return session
  }

  async #acquire({ session }: Follower): Promise<void> {
    const { mode, log, openAppender, queue } = this.#deps
    if (!(await tryWriterLock(session, mode))) {
      if (this.#isCurrent(session)) this.#state = { kind: 'follower', session }
      return
    }
    try {
      await using opening = new AsyncDisposableStack()
      const appender = opening.use(await openAppender(session.query))
      if (!this.#isCurrent(session)) throw new Error('The database connection of the ledger was lost')
      const batches = createBatches(appender, (error) => this.#release(session, error))
      this.#state = { kind: 'writer', session, appender, batches }
      this.#terms += 1
      opening.move()
      log.info({ mode, entries: appender.size }, 'this process writes the ledger')
      void this.#watch(session, appender)
    } catch (error) {
      // The connection works, so the cause is the disk. No other process can write before this one releases the lock.
      const obstacle = this.#isCurrent(session) && error instanceof Error ? error : undefined
      if (obstacle !== undefined) queue.abandon(unavailable(obstacle))
      this.#release(session, error, obstacle)
      // The server starts, answers what it can, and tries again: the clock may be corrected.
      if (error instanceof ClockRefused) log.warn({ err: error, mode }, 'the ledger does not record')
      else throw error
    }
  }

  async #watch(session: DatabaseSession, appender: Appender): Promise<void> {
    try {
      await appender.watch(this.#closing.signal)
    } catch (error) {
      if (!this.#closing.signal.aborted && this.#isCurrent(session)) this.#release(session, error)
    }
  }

  #isCurrent(session: DatabaseSession): boolean {
    return 'session' in this.#state && this.#state.session === session
  }

  #release(session: DatabaseSession, reason: unknown, obstacle?: Error): void {
    const { mode, log } = this.#deps
    const state = this.#state
    if (state.kind === 'damaged') return
    if (reason instanceof LedgerDamaged) {
      this.#state = { kind: 'damaged', obstacle: reason }
      log.error({ err: reason, mode }, 'the ledger is damaged; nothing is written to it any more')
    } else if (this.#isCurrent(session)) {
      this.#state = {
        kind: 'disconnected',
        obstacle: obstacle ?? (state.kind === 'follower' ? state.obstacle : undefined),
      }
      if (state.kind === 'writer' && !this.#closing.signal.aborted)
        log.warn({ err: reason, mode }, 'this process stopped writing the ledger')
    } else return
    this.#released = this.#released.then(() => endTerm(state))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    // `start` has reported an error of the first run to its caller.
    await this.#first?.catch(() => {})
    await this.#loop?.[Symbol.asyncDispose]()
    const state = this.#state
    if ('session' in state) this.#release(state.session, this.#closing.signal.reason)
    await this.#released
  }
}

const endTerm = async (state: State): Promise<void> => {
  if (state.kind === 'writer') {
    await state.batches.close()
    await state.appender[Symbol.asyncDispose]()
  }
  if ('session' in state) await state.session.close()
}

const unavailable = (obstacle: Error): LedgerUnavailable =>
  obstacle instanceof LedgerStopped || obstacle instanceof LedgerDamaged
    ? new LedgerStopped(obstacle.message, { cause: obstacle })
    : new LedgerUnavailable(obstacle.message, { cause: obstacle })

/** The append continues; only the caller stops waiting. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(new LedgerUnavailable('The caller did not wait for the ledger to write'))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
