import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { within } from '../../lib/within.ts'
import { createCollector, tell } from './collector.ts'
import type { Begin, ToPrimary } from './messages.ts'
import { closeUnaccepted } from './unaccepted-connections.ts'

type Options = {
  readonly count: number
  readonly begin: (number: number, isFirst: boolean) => Begin
  readonly log: Logger
  /** Called once if processes keep ending. */
  readonly onGivenUp: (error: Error) => void
}

const mostShortLives = 5
const shortLifeMs = 60_000
const maxPauseMs = 2_000
/** Longer than a process takes to end its work. */
const stopMs = 120_000

/** Starts the processes that share the port, and replaces one that ends. */
export class Supervisor {
  readonly #options: Options
  readonly #running = new Map<number, Worker>()
  readonly #ready = new Set<number>()
  readonly #stopping = new AbortController()
  readonly #receive = createCollector(() => this.#workers())
  /** Lives in a row that ended within a minute. However slowly they start: their start does not count. */
  #shortLives = 0

  constructor(options: Options) {
    this.#options = options
    cluster.setupPrimary({ exec: join(import.meta.dirname, '../../main.ts'), args: [] })
  }

  /** Resolves with 0 when the first process is ready, otherwise with the exit code with which it ended. */
  async startFirst(): Promise<number> {
    const { promise: ready, resolve } = Promise.withResolvers<number>()
    const worker = this.#fork(1, { isFirst: true, onReady: () => resolve(0) })
    worker.once('exit', (code, signal) => {
      if (signal !== null) this.#options.log.error({ signal }, 'the first process was killed')
      resolve(code === 0 || code === null ? 1 : code)
    })
    const code = await ready
    if (code === 0) this.#watch(1, worker)
    return code
  }

  startOthers(): void {
    for (let number = 2; number <= this.#options.count; number += 1) this.#start(number)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    const workers = this.#workers()
    const ended = Promise.all(workers.map(async (worker) => worker.isDead() || (await once(worker, 'exit'))))
    for (const worker of workers) worker.process.kill('SIGTERM')
    await within(stopMs, ended)
    for (const worker of workers) if (!worker.isDead()) worker.process.kill('SIGKILL')
    await ended
  }

  #workers(): Worker[] {
    return [...this.#running.values()]
  }

  #start(number: number): void {
    this.#watch(number, this.#fork(number, { isFirst: false, onReady: () => {} }))
  }

  #fork(number: number, { isFirst, onReady }: { isFirst: boolean; onReady: () => void }): Worker {
    const worker = cluster.fork()
    let readyAt = Infinity
    this.#running.set(number, worker)
    closeUnaccepted(worker)
    worker.on('error', () => {})
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'hello') return tell(worker, this.#options.begin(number, isFirst))
      if (message.kind !== 'ready') return this.#receive(worker, message)
      this.#ready.add(number)
      readyAt = performance.now()
      const { log, count } = this.#options
      log.info({ process: number, ready: this.#ready.size, of: count }, 'a process is ready')
      onReady()
    })
    worker.once('exit', () => {
      if (this.#running.get(number) === worker) this.#running.delete(number)
      this.#ready.delete(number)
      this.#shortLives = performance.now() - readyAt >= shortLifeMs ? 0 : this.#shortLives + 1
    })
    this.#options.log.info({ process: number, pid: worker.process.pid }, 'a process starts')
    return worker
  }

  #watch(number: number, worker: Worker): void {
    worker.once('exit', (code, signal) => {
      if (this.#stopping.signal.aborted) return
      const how = signal ?? `exit code ${code}`
      this.#options.log.error({ process: number, how }, 'a process ended unexpectedly; starting it again')
      void this.#restart(number, how)
    })
  }

  async #restart(number: number, how: string): Promise<void> {
    if (this.#shortLives > mostShortLives) {
      this.#options.onGivenUp(
        new Error(
          `its processes ended ${this.#shortLives} times in a row within a minute, the last one with ${how}: the lines above say why`,
        ),
      )
      return
    }
    const pauseMs = this.#shortLives <= 1 ? 0 : Math.min(50 * 2 ** this.#shortLives, maxPauseMs)
    const { signal } = this.#stopping
    await delay(pauseMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) this.#start(number)
  }
}
