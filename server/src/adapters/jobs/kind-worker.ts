import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as ClaimedJob, PgBoss } from 'pg-boss'
import type { Reason } from '@millseal/contract/reasons'
import { ExplainedError } from '../../lib/explained-error.ts'
import { inGroups } from '../../lib/in-groups.ts'
import { Problem } from '../../lib/problem.ts'
import type { JobHandler, JobKind } from '../../ports/jobs/jobs.ts'
import type { Attempt } from './job-table.ts'
import { heartbeatSeconds, type JobsLog, pollMs } from './settings.ts'
import { startDeadline } from '../../lib/deadline.ts'

export type KindWorkerOptions = {
  readonly boss: Pick<PgBoss, 'fetch' | 'complete' | 'fail' | 'touch'>
  readonly kind: JobKind<object>
  readonly handler: JobHandler<object>
  readonly concurrency: number
  readonly log: JobsLog
  readonly onError: (error: unknown) => void
}

type Run = { readonly claim: AbortController; readonly done: Promise<void>; readonly attempt: Attempt }

/** Kept below the heartbeat: after that the job belongs to somebody else. */
const settleMs = (heartbeatSeconds * 1_000 * 2) / 3

/**
 * Runs the jobs of one kind, each settled on its own: a slow one holds up no other, and as many are fetched as are free
 * to begin. (The workers of pg-boss settle a batch together, or poll once per job.)
 */
export class KindWorker {
  readonly kind: string
  readonly #options: KindWorkerOptions
  /** Jobs that end at the same time are completed together, and as many are fetched together. */
  readonly #complete: (job: ClaimedJob) => Promise<void>
  readonly #runs = new Set<Run>()
  readonly #unbegun: Attempt[] = []
  #accepting = true
  #abandoned = false
  #woken = false
  #alarm: (() => void) | undefined
  #loop: Promise<void> | undefined

  constructor(options: KindWorkerOptions) {
    this.kind = options.kind.name
    this.#options = options
    const complete = async (jobs: readonly ClaimedJob[]): Promise<readonly void[]> => {
      await options.boss.complete(this.kind, [...jobs])
      return jobs.map(() => {})
    }
    this.#complete = inGroups(complete, { ifItFails: 'reject all' })
  }

  start(): void {
    this.#loop ??= this.#work()
  }

  /** Fetches again. Nothing else makes an idle worker fetch: the poller and notifications call it. */
  wake(): void {
    this.#woken = true
    this.#alarm?.()
  }

  /** Begins no more jobs; resolves when all that had begun are done. */
  async drain(): Promise<void> {
    this.#accepting = false
    this.wake()
    await this.#loop
    await Promise.all([...this.#runs].map(({ done }) => done))
  }

  /** Stops waiting for running jobs. Resolves with all attempts that this worker has claimed and will not settle. */
  async abandon(): Promise<Attempt[]> {
    this.#accepting = false
    this.#abandoned = true
    const held = [...this.#runs]
    for (const { claim } of held) claim.abort(new Error('The process stops'))
    this.wake()
    await this.#loop
    return [...this.#unbegun, ...held.map(({ attempt }) => attempt)]
  }

  async #work(): Promise<void> {
    while (this.#accepting) {
      this.#woken = false
      const free = this.#options.concurrency - this.#runs.size
      const jobs = free > 0 ? await this.#fetch(free) : []
      if (this.#accepting) for (const job of jobs) this.#begin(job)
      else this.#unbegun.push(...jobs)
      if (this.#accepting && !this.#woken) await this.#pause()
    }
  }

  async #fetch(count: number): Promise<ClaimedJob[]> {
    try {
      return await this.#options.boss.fetch<object>(this.kind, { batchSize: count })
    } catch (error) {
      this.#options.onError(error)
      this.#woken = false
      return []
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#alarm = resolve
    })
  }

  #begin(job: ClaimedJob): void {
    const claim = new AbortController()
    const attempt = { id: job.id, retryCount: job.retryCount }
    const run: Run = {
      claim,
      attempt,
      done: this.#run(job, claim).finally(() => {
        this.#runs.delete(run)
        this.wake()
      }),
    }
    this.#runs.add(run)
  }

  async #run(job: ClaimedJob, claim: AbortController): Promise<void> {
    const { boss, kind } = this.#options
    const late = new Error(`The job took longer than ${kind.expireSeconds} seconds`)
    using _expiry = startDeadline(kind.expireSeconds * 1_000, () => claim.abort(late))
    const heartbeat = setInterval(() => void this.#beat(job, claim), (heartbeatSeconds * 1_000) / 3)
    try {
      const failure = await this.#handle(job, claim.signal)
      await this.#settle(async () => {
        if (failure === undefined) await this.#complete(job)
        else await boss.fail(kind.name, [job], failure)
      })
    } finally {
      clearInterval(heartbeat)
    }
  }

  /** Resolves with what went wrong. Only the message and the reason of an error are kept: the rest of it may hold anything. */
  async #handle({ id, data, retryCount }: ClaimedJob, signal: AbortSignal): Promise<object | undefined> {
    const { handler, log } = this.#options
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    try {
      await Promise.race([(async () => handler({ id, data, signal }))(), aborted])
      return undefined
    } catch (error) {
      const message = error instanceof Error ? error.message : 'Something was thrown that is no error'
      if (!this.#abandoned)
        log.warn({ kind: this.kind, job: id, attempt: retryCount + 1, reason: message }, 'a job failed')
      return { message, reasons: reasonsOf(error) }
    }
  }

  /** Tries for as long as the job is surely ours: what is not settled will be run again. */
  async #settle(settle: () => Promise<void>): Promise<void> {
    const until = performance.now() + settleMs
    while (!this.#abandoned) {
      try {
        return await settle()
      } catch (error) {
        if (this.#abandoned || performance.now() > until) return
        this.#options.onError(error)
        await sleep(pollMs)
      }
    }
  }

  async #beat(job: ClaimedJob, claim: AbortController): Promise<void> {
    try {
      const answer = (await this.#options.boss.touch(this.kind, [job])) as { affected?: number }
      if (answer.affected === 0) claim.abort(new Error('The job was given to another worker'))
    } catch (error) {
      this.#options.onError(error)
    }
  }
}

const reasonsOf = (error: unknown): readonly Reason[] | undefined => {
  if (error instanceof Problem) return [{ code: error.code, values: {} }]
  return error instanceof ExplainedError && error.because ? [error.because] : undefined
}
