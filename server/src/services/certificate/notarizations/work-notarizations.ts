import { setTimeout as delay } from 'node:timers/promises'
import { startLoop } from '../../../lib/loop.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import type { RunningNotarization } from './progress.store.ts'
import {
  claimNotarizations,
  notarizationChannel,
  releaseNotarizations,
  scheduleNotarizations,
} from './queue.store.ts'
import { retryDelayMs } from './retry-delay.ts'
import { runNotarization } from './run-notarization.ts'

/** Enough to keep every renderer busy while other notarizations wait for the ledger. */
const slots = 8
const idleMs = 1_000
/** How late other processes claim the notarizations of a process that died. */
const leaseMs = 30_000
const renewMs = 10_000
const expireMs = 300_000
const stopMs = 10_000

type Run = { readonly control: AbortController; readonly done: Promise<void> }

/** Claims due notarizations and runs them until it is disposed of. Any number of processes can do so at once. */
export const startNotarizing = (deps: CertificateDependencies): AsyncDisposable => {
  const { database, clock, log } = deps
  const runs = new Map<string, Run>()
  let afterCompany: string | undefined
  const inMs = (ms: number): Date => new Date(clock.now() + ms)

  const claimSome = async (): Promise<boolean> => {
    const limit = slots - runs.size
    if (limit === 0) return false
    const wasRest = afterCompany !== undefined
    const claim = { now: inMs(0), leaseUntil: inMs(leaseMs), limit, afterCompany }
    const claimed = await claimNotarizations(database.query, claim)
    const companies = claimed.map(({ companyId }) => companyId).toSorted()
    afterCompany = claimed.length === limit ? companies.at(-1) : undefined
    for (const notarization of claimed) runs.set(notarization.id, begin(notarization))
    return claimed.length > 0 || wasRest
  }

  const begin = (notarization: RunningNotarization): Run => {
    const control = new AbortController()
    const expiry = setTimeout(() => control.abort(new Error('The notarization took too long')), expireMs)
    const done = attempt(notarization, control.signal).finally(() => {
      clearTimeout(expiry)
      runs.delete(notarization.id)
      loop.wake()
    })
    return { control, done }
  }

  const attempt = async (notarization: RunningNotarization, signal: AbortSignal): Promise<void> => {
    const { id: certificateId, attempts } = notarization
    try {
      await runNotarization(deps, notarization, signal)
    } catch (error) {
      if (signal.reason === stopping) return
      log.warn({ err: error, certificateId, attempts }, 'a notarization failed and will be retried')
      const at = inMs(retryDelayMs(attempts, Math.random()))
      await scheduleNotarizations(database.query, [certificateId], at).catch(warn)
    }
  }

  /** Without this statement the lease ends, and a worker claims the notarization then. */
  const warn = (error: unknown): void => log.warn({ err: error }, 'notarizations were not rescheduled')

  const loop = startLoop({ name: 'claiming notarizations', pass: claimSome, idleMs, log })
  const listening = database.listen(notarizationChannel, loop.wake)
  const renewing = setInterval(() => {
    if (runs.size > 0) scheduleNotarizations(database.query, [...runs.keys()], inMs(leaseMs)).catch(warn)
  }, renewMs)

  return {
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
      await settled(runs)
      clearInterval(renewing)
      const unfinished = [...runs]
      if (unfinished.length === 0) return
      for (const [, { control }] of unfinished) control.abort(stopping)
      await settled(runs)
      const ids = unfinished.map(([id]) => id)
      await releaseNotarizations(database.query, ids, inMs(0)).catch(warn)
    },
  }
}

const stopping = new Error('The process stops')

/** Resolves when all runs have ended, or when the time is over. */
const settled = async (runs: ReadonlyMap<string, Run>): Promise<void> => {
  const patience = new AbortController()
  const late = delay(stopMs, undefined, { signal: patience.signal }).catch(() => {})
  await Promise.race([Promise.all([...runs.values()].map(({ done }) => done)), late])
  patience.abort()
}
