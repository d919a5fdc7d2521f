import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { DatabaseLog } from '../postgres.ts'
import type { ClusterPlace } from './leftovers.ts'
import { type Privileges, spawnAs } from './privileges.ts'
import { deadlineSignal, startDeadline } from '../../../lib/deadline.ts'

export interface PostmasterOptions extends ClusterPlace {
  readonly privileges: Privileges
  readonly settings: Readonly<Record<string, string>>
  readonly log: DatabaseLog
  readonly startTimeoutMs?: number | undefined
}

/** Long enough to replay the log of a large database after a crash. */
const usualStartTimeoutMs = 300_000
const stopPatienceMs: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
]

/** A running PostgreSQL server process. */
export class Postmaster {
  readonly pid: number
  /** Resolves with the signal or exit status. Never rejects. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  #isStopping = false

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child
    this.pid = pid
    this.ended = once(child, 'exit').then(([status, signal]: (string | number | null)[]) =>
      String(signal ?? `status ${status}`),
    )
  }

  /** Resolves when it accepts connections. */
  static async start({
    privileges,
    folder,
    settings,
    log,
    startTimeoutMs = usualStartTimeoutMs,
  }: PostmasterOptions): Promise<Postmaster> {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawnAs(privileges, 'postgres', ['-D', folder, ...flags])
    if (child.pid === undefined) {
      const [error]: unknown[] = await once(child, 'error')
      throw new Error('postgres could not be started', { cause: error })
    }
    const postmaster = new Postmaster(child, child.pid)
    await postmaster.#untilReady(log, startTimeoutMs)
    postmaster.#allowExit()
    return postmaster
  }

  /** Shuts the server down. Resolves when the process has exited. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#child.ref()
    for (const [signal, patienceMs] of stopPatienceMs) {
      this.#child.kill(signal)
      if (await this.#endedWithin(patienceMs)) return
    }
  }

  async #untilReady(log: DatabaseLog, startTimeoutMs: number): Promise<void> {
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    const complaints: string[] = []
    if (this.#child.stderr === null) throw new Error('postgres was started without a log')
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (line.includes('database system is ready to accept connections')) resolve()
      const isFatal = /^(FATAL|PANIC)/.test(line)
      if (isFatal) complaints.push(line)
      // PostgreSQL reports each connection that is left when it stops.
      const isOfStop =
        this.#isStopping && line.includes('terminating connection due to administrator command')
      log[isFatal && !isOfStop ? 'warn' : 'debug']({ line }, 'postgres')
    })
    const expired = deadlineSignal(startTimeoutMs)
    const tooLate = once(expired, 'abort').then(() => `not ready after ${startTimeoutMs} ms`)
    const failure = await Promise.race([ready, this.ended, tooLate])
    if (failure === undefined) return
    await this.stop()
    throw new Error(`PostgreSQL does not start: ${complaints.at(0) ?? failure}`)
  }

  async #endedWithin(patienceMs: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>()
    using _deadline = startDeadline(patienceMs, () => resolve(false))
    return await Promise.race([this.ended.then(() => true), late])
  }

  /** A server stays alive by its open port. A finished command must not wait for its database. */
  #allowExit(): void {
    this.#child.unref()
    const log = this.#child.stderr
    if (log !== null && 'unref' in log && typeof log.unref === 'function') log.unref()
  }
}
