import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseLog } from '../postgres.ts'
import { stopLeftovers } from './leftovers.ts'
import { Postmaster, type PostmasterOptions } from './postmaster.ts'

export interface SupervisorOptions extends PostmasterOptions {
  /** After more stops within a minute the database is not restarted. */
  readonly restartsPerMinute: number
  readonly onGivenUp: (reason: Error) => void
}

const minuteMs = 60_000
const maxPauseMs = 5_000

/** Keeps one postmaster running until disposed. It is restarted whenever it stops, with increasing delays. */
export class Supervisor implements AsyncDisposable {
  readonly #options: SupervisorOptions
  readonly #log: DatabaseLog
  readonly #stopping = new AbortController()
  #ends: number[] = []
  #postmaster: Postmaster | undefined
  #restarting: Promise<void> = Promise.resolve()

  private constructor(options: SupervisorOptions) {
    this.#options = options
    this.#log = options.log
  }

  static async start(options: SupervisorOptions): Promise<Supervisor> {
    const supervisor = new Supervisor(options)
    try {
      supervisor.#watch(await Postmaster.start(options))
    } catch (error) {
      // A process that has just died may not have released its memory yet.
      options.log.warn({ reason: messageOf(error) }, 'the database did not start; trying once more')
      await stopLeftovers(options, options.log)
      supervisor.#watch(await Postmaster.start(options))
    }
    return supervisor
  }

  /** The running server process. Undefined while there is none. */
  get pid(): number | undefined {
    return this.#postmaster?.pid
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#restarting
    await this.#postmaster?.stop()
    this.#postmaster = undefined
  }

  #watch(postmaster: Postmaster): void {
    this.#postmaster = postmaster
    void postmaster.ended.then((how) => {
      if (this.#stopping.signal.aborted) return
      this.#postmaster = undefined
      this.#log.error({ how }, 'the database ended unexpectedly; starting it again')
      this.#restarting = this.#restart()
    })
  }

  async #restart(): Promise<void> {
    const started = performance.now()
    let reason = new Error('it ends again and again')
    for (let pauseMs = this.#nextPauseMs(); pauseMs !== undefined; pauseMs = this.#nextPauseMs()) {
      try {
        await delay(pauseMs, undefined, { signal: this.#stopping.signal })
        await stopLeftovers(this.#options, this.#log)
        this.#watch(await Postmaster.start(this.#options))
        this.#log.info({ ms: Math.round(performance.now() - started) }, 'the database runs again')
        return
      } catch (error) {
        if (this.#stopping.signal.aborted) return
        reason = new Error(messageOf(error), { cause: error })
        this.#log.error({ reason: reason.message }, 'the database did not start again')
      }
    }
    this.#log.error({ reason: reason.message }, 'the database keeps ending: repair it and restart millseal')
    this.#options.onGivenUp(reason)
  }

  /** Undefined when it is time to give up. */
  #nextPauseMs(): number | undefined {
    const now = performance.now()
    this.#ends = [...this.#ends.filter((time) => time > now - minuteMs), now]
    if (this.#ends.length > this.#options.restartsPerMinute) return undefined
    return this.#ends.length === 1 ? 0 : Math.min(50 * 2 ** (this.#ends.length - 1), maxPauseMs)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
