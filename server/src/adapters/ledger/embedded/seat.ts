import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../../../ports/database/database.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { answerTimeoutMs, noticeLoss, statementTimeoutMs } from '../../database/notice-loss.ts'
import { valueTypes } from '../../database/value-types.ts'
import type { Appender } from './appender.ts'
import { type Batches, createBatches, type Outcome } from './batches.ts'
import { type Channel, channelOf, channels } from './channels.ts'
import { LedgerDamaged } from './damaged.ts'
import type { Handover } from './handover.ts'
import { createIndexWriter, type IndexWriter } from './index-writer.ts'

export type SeatDependencies = {
  readonly mode: Mode
  readonly database: Database
  readonly handover: Handover
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  openAppender(index: IndexWriter): Promise<Appender>
  onCommitted(height: number): void
}

const tickMs = 500
const connectTimeoutMs = 5_000
/** Only this product takes locks with this first number ("mllg"). */
const lockClass = 0x6d_6c_6c_67
const lockOf: Readonly<Record<Mode, number>> = { test: 1, live: 2 }

type Connected = { readonly client: Client; batches: Batches | undefined; appender: Appender | undefined }

/**
 * The one place from which a log is written. Processes compete for it by a lock that PostgreSQL takes back when its
 * holder dies; those without it hand over what they want written.
 */
export class Seat implements AsyncDisposable {
  readonly #deps: SeatDependencies
  readonly #closing = new AbortController()
  #connected: Connected | undefined
  #damage: LedgerDamaged | undefined
  /** Why this process, which may write, cannot. */
  #hindrance: Error | undefined
  #turning: Promise<void> | undefined
  #turnAgain = false
  #left = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: SeatDependencies) {
    this.#deps = deps
  }

  /** Resolves when this process writes, or another does. Rejects with `LedgerDamaged` when the log must not be touched. */
  async start(): Promise<void> {
    this.#turning = this.#turn()
    try {
      await this.#turning
    } finally {
      this.#turning = undefined
    }
    this.#tick()
  }

  get isWriter(): boolean {
    return this.#connected?.batches !== undefined
  }

  /** Why nothing is written: for ever where the log is damaged, else for now. */
  get obstacle(): Error | undefined {
    return this.#damage ?? this.#hindrance
  }

  async submit(transaction: SignedTransaction, signal: AbortSignal): Promise<Outcome> {
    const { obstacle } = this
    if (obstacle !== undefined) throw new LedgerUnavailable(obstacle.message, { cause: obstacle })
    const batches = this.#connected?.batches
    return batches === undefined
      ? await this.#deps.handover.submit(transaction, signal)
      : await untilAborted(batches.submit(transaction), signal)
  }

  #tick(): void {
    if (this.#closing.signal.aborted) return
    this.#timer = setTimeout(() => {
      this.#wake()
      this.#tick()
    }, tickMs)
  }

  /** One turn at a time; who asks during a turn gets another one after it. */
  #wake(): void {
    if (this.#closing.signal.aborted || this.#damage !== undefined) return
    this.#turnAgain = true
    this.#turning ??= this.#turnWhileAsked()
  }

  async #turnWhileAsked(): Promise<void> {
    while (this.#turnAgain && !this.#closing.signal.aborted) {
      this.#turnAgain = false
      try {
        await this.#turn()
      } catch (error) {
        this.#deps.log.warn({ err: error, mode: this.#deps.mode }, 'the ledger cannot be written for now')
      }
    }
    this.#turning = undefined
  }

  async #turn(): Promise<void> {
    // What was still being written when this process stood up is done before it may sit down again.
    await this.#left
    const connected = (this.#connected ??= await this.#connect())
    if (connected.batches === undefined) {
      if (await this.#tryLock(connected)) await this.#sitDown(connected)
      this.#hindrance = undefined
    }
    await this.#deps.handover.collect()
    const { batches } = connected
    if (batches === undefined) return
    this.#deps.handover
      .serve((transaction) => batches.submit(transaction))
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'submissions to the ledger were not served'),
      )
  }

  async #connect(): Promise<Connected> {
    const { mode, database } = this.#deps
    const client = new Client({
      ...database.connection,
      application_name: `millseal ledger ${mode}`,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      types: valueTypes,
    })
    const connected: Connected = { client, batches: undefined, appender: undefined }
    client.on('error', (error) => this.#standUp(connected, error))
    client.on('end', () => this.#standUp(connected, new Error('The connection of the ledger ended')))
    client.on('notification', ({ channel, payload }) => this.#hear(channel, payload ?? ''))
    try {
      await client.connect()
      // The files are what is durable: the index is made good from them. It is only asked for single rows.
      await client.query('set synchronous_commit = off; set enable_seqscan = off')
      await client.query(noticeLoss)
      for (const channel of channels) await client.query(`listen ${channelOf(mode, channel)}`)
      return connected
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  #hear(name: string, payload: string): void {
    const channel: Channel | undefined = channels.find((known) => channelOf(this.#deps.mode, known) === name)
    if (channel === 'committed') this.#deps.onCommitted(Number(payload))
    else this.#wake()
  }

  async #tryLock({ client }: Connected): Promise<boolean> {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1, $2) as locked',
      [lockClass, lockOf[this.#deps.mode]],
    )
    return rows[0]?.locked === true
  }

  async #sitDown(connected: Connected): Promise<void> {
    const { mode, log, openAppender } = this.#deps
    try {
      const appender = await openAppender(createIndexWriter(connected.client, mode))
      connected.appender = appender
      if (this.#connected !== connected) throw new Error('The connection of the ledger was lost meanwhile')
      connected.batches = createBatches(appender, (error) => this.#standUp(connected, error))
      log.info({ mode, entries: appender.size }, 'this process writes the ledger')
      void this.#checkOlder(connected, appender)
    } catch (error) {
      // With its connection the disk is to blame, and nobody else may write before this one stands up again.
      if (this.#connected === connected && error instanceof Error) {
        this.#hindrance = error
        this.#deps.handover.abandon(new LedgerUnavailable(error.message, { cause: error }))
      }
      this.#standUp(connected, error)
      throw error
    }
  }

  async #checkOlder(connected: Connected, appender: Appender): Promise<void> {
    try {
      await appender.checkOlder(this.#closing.signal)
    } catch (error) {
      if (!this.#closing.signal.aborted && this.#connected === connected) this.#standUp(connected, error)
    }
  }

  #standUp(connected: Connected, reason: unknown): void {
    if (this.#connected === connected) this.#connected = undefined
    const { mode, log } = this.#deps
    if (reason instanceof LedgerDamaged) {
      this.#damage ??= reason
      log.error({ err: reason, mode }, 'the ledger is damaged and is not written any more')
    } else if (!this.#closing.signal.aborted && connected.batches !== undefined) {
      log.warn({ err: reason, mode }, 'this process gave up writing the ledger')
    }
    this.#left = this.#left.then(() => this.#leave(connected))
  }

  async #leave(connected: Connected): Promise<void> {
    const { batches, appender } = connected
    connected.batches = undefined
    connected.appender = undefined
    await batches?.close()
    await appender?.[Symbol.asyncDispose]()
    await connected.client.end().catch(() => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    // A first turn that failed was told to whoever started it.
    await this.#turning?.catch(() => {})
    const connected = this.#connected
    this.#connected = undefined
    if (connected !== undefined) await this.#leave(connected)
    await this.#left
  }
}

/** The append goes on: only its caller is let go. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const letGo = (): void => reject(new LedgerUnavailable('The caller did not wait for the ledger to write'))
  signal.addEventListener('abort', letGo)
  if (signal.aborted) letGo()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', letGo)
  }
}
