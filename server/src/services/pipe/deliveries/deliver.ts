import { randomUUID } from 'node:crypto'
import type { PipeDependencies } from '../dependencies.ts'
import { type EventContent, findContents } from '../events/event-records.store.ts'
import { type Loop, startLoop } from '../../../lib/loop.ts'
import { within } from '../../../lib/within.ts'
import { attemptDelivery, type DeliveryAttempt, wasDelivered } from './attempt-delivery.ts'
import { type ClaimedDelivery, claimDeliveries, type Claiming, releaseDelivery } from './deliveries.store.ts'
import { createPacing, type Ended, least, type Pacing } from './pacing.ts'
import { type Finished, recordResults } from './record-results.ts'

/** At once, in this process. Failing webhooks have slots of their own, so that they cannot take all. */
const slots = { healthy: 160, failing: 96 }
const maxPayloadBytes = 64 * 1_024 * 1_024
const stopMs = 5_000
const resultsAtOnce = 500

/** Claims due deliveries, attempts them and records the results until it is disposed of. */
export const startDelivering = (deps: PipeDependencies): Loop => {
  const { database, clock, log } = deps
  const running = new Map<string, ClaimedDelivery>()
  const pacing = createPacing()
  const attempts = new Set<Promise<void>>()
  const stopping = new AbortController()

  const results = startRecording(deps)
  const attempt = async (delivery: ClaimedDelivery, content: EventContent | undefined): Promise<void> => {
    pacing.begin(delivery.hookId)
    let made: readonly DeliveryAttempt[] = []
    try {
      if (content === undefined) return
      made = await attemptDelivery(deps, delivery, { ...content, signal: stopping.signal })
      if (stopping.signal.aborted && !wasDelivered(made)) {
        await releaseDelivery(database.query, delivery, new Date(clock.now()))
      } else await results.add({ delivery, attempts: made })
    } catch (error) {
      log.error({ err: error, recordId: delivery.recordId }, 'a delivery will be claimed again')
    } finally {
      pacing.end(delivery.hookId, endOf(made))
      running.delete(delivery.recordId)
      claiming.wake()
    }
  }

  const claimSome = async (): Promise<boolean> => {
    const claimed = await claimDeliveries(database.query, claimingOf(deps, running, pacing))
    if (claimed.length === 0) return false
    for (const delivery of claimed) running.set(delivery.recordId, delivery)
    const eventIds = claimed.map(({ eventId }) => eventId)
    const contents = await findContents(database.query, eventIds).catch((error: unknown) => {
      for (const { recordId } of claimed) running.delete(recordId)
      throw error
    })
    for (const delivery of claimed) {
      const made = attempt(delivery, contents.get(delivery.eventId))
      attempts.add(made)
      void made.finally(() => attempts.delete(made))
    }
    return true
  }

  const claiming = startLoop({ name: 'claiming deliveries', pass: claimSome, log })
  return {
    wake: claiming.wake,
    async [Symbol.asyncDispose]() {
      await claiming[Symbol.asyncDispose]()
      await within(stopMs, Promise.all(attempts))
      stopping.abort()
      await within(stopMs, Promise.all(attempts))
      await results[Symbol.asyncDispose]()
    },
  }
}

const endOf = (made: readonly DeliveryAttempt[]): Ended | undefined => {
  const last = made.at(-1)
  return last && { delivered: wasDelivered(made), durationMs: last.durationMs }
}

const claimingOf = (
  { clock, pace }: PipeDependencies,
  running: ReadonlyMap<string, ClaimedDelivery>,
  { more }: Pacing,
): Claiming => {
  const nowMs = clock.now()
  const all = [...running.values()]
  const failing = all.filter(({ isFailing }) => isFailing).length
  return {
    claim: randomUUID(),
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + pace.leaseMs),
    except: [...running.keys()],
    limits: { failing: slots.failing - failing, healthy: slots.healthy - (all.length - failing) },
    perHook: { usual: least, more },
    bytes: maxPayloadBytes - all.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Records in one transaction what was finished while the previous batch was being recorded. */
const startRecording = (
  deps: PipeDependencies,
): AsyncDisposable & { add(finished: Finished): Promise<void> } => {
  let waiting: { readonly finished: Finished; readonly done: () => void }[] = []
  const flush = async (): Promise<boolean> => {
    const batch = waiting.slice(0, resultsAtOnce)
    if (batch.length === 0) return false
    await recordResults(
      deps,
      batch.map(({ finished }) => finished),
    )
    waiting = waiting.slice(batch.length)
    for (const { done } of batch) done()
    return true
  }
  const { log } = deps
  const loop = startLoop({ name: 'recording deliveries', pass: flush, log })
  return {
    add(finished) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ finished, done: resolve })
      loop.wake()
      return promise
    },
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  }
}
