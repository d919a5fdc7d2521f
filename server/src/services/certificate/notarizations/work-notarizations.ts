import { startLoop } from '../../../lib/loop.ts'
import { within } from '../../../lib/within.ts'
import { certificateSpan } from '../../../ports/tracer/known-spans.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import type { RunningNotarization } from './progress.store.ts'
import {
  claimNotarizations,
  notarizationChannel,
  releaseNotarizations,
  scheduleNotarizations,
} from './queue.store.ts'
import { beyondAnyDelayMs, retryDelayMs } from './retry-delay.ts'
import { startResuming } from './resume-confirmed.ts'
import { groupSteps } from './grouped-steps.ts'
import { type RunDependencies, runNotarization } from './run-notarization.ts'
import { takeTurns } from './turns.ts'
import { createUnscheduledRetries } from './unscheduled-retries.ts'
import { startDeadline } from '../../../lib/deadline.ts'

/** Enough to keep every renderer busy while others wait for the ledger, and for steps that are done in groups. */
export const slots = 40
/** How late other processes claim the notarizations of a process that died. */
const leaseMs = 30_000
const usualTimes: Times = { idleMs: 2_000, renewMs: 10_000, expireMs: 300_000, stopMs: 10_000 }

type Times = {
  /** After this long without news it looks for due notarizations. */
  readonly idleMs: number
  /** How often leases of running notarizations are renewed. */
  readonly renewMs: number
  /** How long one attempt may take. */
  readonly expireMs: number
  /** How long stopping waits for them, twice: before and after it aborts them. */
  readonly stopMs: number
}

type Run = { readonly control: AbortController; readonly done: Promise<void> }

const stopping = new Error('The process stops')
const tooLong = new Error('The notarization took too long')

/** Claims due notarizations and runs them until it is disposed of. Any number of processes can do so at once. */
export const startNotarizing = (
  deps: CertificateDependencies,
  { idleMs, renewMs, expireMs, stopMs }: Times = usualTimes,
): AsyncDisposable => {
  const { database, clock, log, tracer } = deps
  const runs = new Map<string, Run>()
  const resuming = startResuming(deps)
  const running = { ...deps, steps: groupSteps(deps, () => runs.size, resuming.wake) }
  const unscheduled = createUnscheduledRetries({ leaseMs })
  const inMs = (ms: number): Date => new Date(clock.now() + ms)
  const claim = takeTurns((limit, afterCompany) =>
    claimNotarizations(database.query, {
      now: inMs(0),
      leaseUntil: inMs(leaseMs),
      latest: inMs(beyondAnyDelayMs),
      except: [...runs.keys()],
      limit,
      afterCompany,
    }),
  )
  const claimSome = async (): Promise<boolean> => {
    await unscheduled.schedule(clock.steady(), (ids) => scheduleNotarizations(database.query, ids, inMs(0)))
    const limit = slots - runs.size
    if (limit === 0) return false
    const startedAt = tracer.now()
    const { claimed, mayBeMore } = await claim(limit)
    for (const notarization of claimed) begin(notarization, startedAt)
    return mayBeMore
  }
  const begin = (notarization: RunningNotarization, startedAt: number): void => {
    const { control, settled } = attemptWithin(expireMs, running, { notarization, startedAt, unscheduled })
    const done = settled.then(() => {
      runs.delete(notarization.id)
      loop.wake()
    })
    runs.set(notarization.id, { control, done })
  }
  const allDone = () => Promise.all([...runs.values()].map(({ done }) => done))
  const loop = startLoop({ name: 'claiming notarizations', pass: claimSome, idleMs, log })
  const listening = database.listen(notarizationChannel, loop.wake)
  const renewing = startRenewing(deps, { runs, unscheduled, everyMs: renewMs })

  return {
    async [Symbol.asyncDispose]() {
      for (const part of [listening, resuming]) await part[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
      await within(stopMs, allDone())
      // Otherwise one could still renew what is then released.
      await renewing[Symbol.asyncDispose]()
      const unfinished = [...runs.keys()]
      if (unfinished.length === 0) return
      for (const { control } of runs.values()) control.abort(stopping)
      await within(stopMs, allDone())
      // If this fails, their leases end, and a worker claims them then.
      await releaseNotarizations(database.query, unfinished, inMs(0)).catch((error: unknown) =>
        log.warn({ err: error }, 'notarizations were not released'),
      )
    },
  }
}

const startRenewing = (
  { database, clock, log }: CertificateDependencies,
  {
    runs,
    unscheduled,
    everyMs,
  }: {
    readonly runs: ReadonlyMap<string, Run>
    readonly unscheduled: ReturnType<typeof createUnscheduledRetries>
    readonly everyMs: number
  },
): AsyncDisposable => {
  const renew = async (): Promise<boolean> => {
    if (runs.size === 0) return false
    const leaseUntil = new Date(clock.now() + leaseMs)
    await unscheduled.renew(
      clock.steady(),
      scheduleNotarizations(database.query, [...runs.keys()], leaseUntil),
    )
    return false
  }
  return startLoop({ name: 'renewing leases', pass: renew, idleMs: everyMs, log })
}

type Claimed = {
  readonly notarization: RunningNotarization
  readonly startedAt: number
  /** Gets a failed attempt that could not be scheduled again. */
  readonly unscheduled: ReturnType<typeof createUnscheduledRetries>
}

const attemptWithin = (ms: number, deps: RunDependencies, claimed: Claimed) => {
  const control = new AbortController()
  // One that neither ends nor aborts must not keep a stopped process alive.
  const expiry = startDeadline(ms, () => control.abort(tooLong)).unref()
  const settled = attempt(deps, claimed, control.signal).finally(() => expiry[Symbol.dispose]())
  return { control, settled }
}

/** Runs a claimed notarization; if that fails and retrying can help, schedules the next attempt. */
const attempt = async (
  deps: RunDependencies,
  { notarization, startedAt, unscheduled }: Claimed,
  signal: AbortSignal,
): Promise<void> => {
  const { database, clock, log, tracer } = deps
  const { id: certificateId, attempts, mode } = notarization
  const begunAt = clock.steady()
  const parent = certificateSpan(certificateId, 'accept')
  const attributes = {
    'millseal.certificate.id': certificateId,
    'millseal.mode': mode,
    'millseal.attempt': attempts,
  }
  try {
    await tracer.run({ name: 'notarize', kind: 'consumer', parent, startedAt, attributes }, async () => {
      tracer.add({ name: 'claim', startedAt })
      await runNotarization(deps, notarization, signal)
    })
  } catch (error) {
    if (signal.reason === stopping) return
    log.warn({ err: error, certificateId, attempts }, 'a notarization failed and will be retried')
    const at = new Date(clock.now() + retryDelayMs(attempts, Math.random()))
    await scheduleNotarizations(database.query, [certificateId], at).catch((failure: unknown) => {
      log.warn({ err: failure, certificateId }, 'the retry could not be scheduled yet')
      unscheduled.add(certificateId, begunAt)
    })
  }
}
