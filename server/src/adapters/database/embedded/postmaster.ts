import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { DatabaseLog } from '../postgres.ts'
import type { ClusterPlace } from './leftovers.ts'
import { type Privileges, spawnAs } from './privileges.ts'

export interface PostmasterOptions extends ClusterPlace {
  readonly privileges: Privileges
  readonly settings: Readonly<Record<string, string>>
  readonly log: DatabaseLog
}

/** Replaying the log after a crash can take long on a big database; a start that only hangs must end. */
const startTimeoutMs = 300_000
const stopPatienceMs: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
]

/** One running server program of PostgreSQL. */
export class Postmaster {
  readonly pid: number
  /** Resolves with how it ended; never rejects. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child
    this.pid = pid
    this.ended = once(child, 'exit').then(([status, signal]: (string | number | null)[]) =>
      String(signal ?? `status ${status}`),
    )
  }

  /** Resolves when it accepts connections. */
  static async start({ privileges, folder, settings, log }: PostmasterOptions): Promise<Postmaster> {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawnAs(privileges, 'postgres', ['-D', folder, ...flags])
    if (child.pid === undefined) {
      const [error]: unknown[] = await once(child, 'error')
      throw new Error('postgres could not be started', { cause: error })
    }
    const postmaster = new Postmaster(child, child.pid)
    await postmaster.#untilReady(log)
    postmaster.#letUsExit()
    return postmaster
  }

  /** Ends the sessions, writes everything down and resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#child.ref()
    for (const [signal, patienceMs] of stopPatienceMs) {
      this.#child.kill(signal)
      if (await this.#endedWithin(patienceMs)) return
    }
  }

  async #untilReady(log: DatabaseLog): Promise<void> {
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    const complaints: string[] = []
    if (this.#child.stderr === null) throw new Error('postgres was started without its log')
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (line.includes('database system is ready to accept connections')) resolve()
      const grave = /^(FATAL|PANIC)/.test(line)
      if (grave) complaints.push(line)
      log[grave ? 'warn' : 'debug']({ line }, 'postgres')
    })
    const expired = AbortSignal.timeout(startTimeoutMs)
    const tooLate = once(expired, 'abort').then(() => `not ready after ${startTimeoutMs} ms`)
    const failure = await Promise.race([ready, this.ended, tooLate])
    if (failure === undefined) return
    await this.stop()
    throw new Error(`PostgreSQL does not start: ${complaints.at(0) ?? failure}`)
  }

  async #endedWithin(patienceMs: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>()
    const timer = setTimeout(resolve, patienceMs, false)
    try {
      return await Promise.race([this.ended.then(() => true), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whoever serves has a port open; a program that is done must not wait for its database. */
  #letUsExit(): void {
    this.#child.unref()
    const log = this.#child.stderr
    if (log !== null && 'unref' in log && typeof log.unref === 'function') log.unref()
  }
}
