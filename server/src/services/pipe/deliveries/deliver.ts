import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Pace, type PipeDependencies } from '../dependencies.ts'
import { findPayloads } from '../events/event-records.store.ts'
import { type Loop, startLoop } from '../relay/loop.ts'
import { attemptDelivery, wasDelivered } from './attempt-delivery.ts'
import { type ClaimedDelivery, claimDeliveries, giveBack } from './deliveries.store.ts'
import { type Finished, recordResults } from './record-results.ts'

/** At once, in this process. Hooks that are failing have slots of their own, so that they cannot take all. */
const slots = { healthy: 160, failing: 96 }
const slotsPerHook = 4
const payloadBytes = 64 * 1_024 * 1_024
const stopMs = 5_000
const resultsAtOnce = 500

/** Claims what is due, attempts it, and writes down what came of it, until it is disposed of. */
export const startDelivering = (deps: PipeDependencies, pace: Pace): Loop => {
  const { database, clock, log } = deps
  const underWay = new Map<string, ClaimedDelivery>()
  const stopping = new AbortController()

  const results = startResults(deps, pace)
  const attempt = async (delivery: ClaimedDelivery, payload: Uint8Array | undefined): Promise<void> => {
    try {
      if (payload === undefined) return
      const attempts = await attemptDelivery(deps, delivery, { payload, signal: stopping.signal })
      if (stopping.signal.aborted && !wasDelivered(attempts)) {
        await giveBack(database.query, [delivery.recordId], delivery.claim, new Date(clock.now()))
      } else await results.add({ delivery, attempts })
    } catch (error) {
      log.error({ err: error, recordId: delivery.recordId }, 'a delivery is left to be claimed again')
    } finally {
      underWay.delete(delivery.recordId)
      claiming.wake()
    }
  }

  const claimSome = async (): Promise<boolean> => {
    const claimed = await claimDeliveries(database.query, asksFor(underWay, clock.now(), pace))
    if (claimed.length === 0) return false
    for (const delivery of claimed) underWay.set(delivery.recordId, delivery)
    const payloads = await payloadsOf(deps, claimed).catch((error: unknown) => {
      for (const { recordId } of claimed) underWay.delete(recordId)
      throw error
    })
    for (const delivery of claimed) void attempt(delivery, payloads.get(delivery.eventId))
    return true
  }

  const claiming = startLoop({ name: 'claiming deliveries', pass: claimSome, idleMs: pace.idleMs, log })
  return {
    wake: claiming.wake,
    async [Symbol.asyncDispose]() {
      await claiming[Symbol.asyncDispose]()
      await settled(underWay, stopMs)
      stopping.abort()
      await settled(underWay, stopMs)
      await results[Symbol.asyncDispose]()
    },
  }
}

const asksFor = (underWay: ReadonlyMap<string, ClaimedDelivery>, nowMs: number, { leaseMs }: Pace) => {
  const all = [...underWay.values()]
  const failing = all.filter(({ isFailing }) => isFailing).length
  return {
    claim: randomUUID(),
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + leaseMs),
    room: { failing: slots.failing - failing, healthy: slots.healthy - (all.length - failing) },
    perHook: slotsPerHook,
    bytes: payloadBytes - all.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

const payloadsOf = ({ database }: PipeDependencies, claimed: readonly ClaimedDelivery[]) =>
  findPayloads(
    database.query,
    claimed.map(({ eventId }) => eventId),
  )

/** Writes down all that came together while the last lot was being written. */
const startResults = (
  deps: PipeDependencies,
  { idleMs }: Pace,
): AsyncDisposable & { add(finished: Finished): Promise<void> } => {
  const record = recordResults(deps)
  let waiting: { readonly finished: Finished; readonly done: () => void }[] = []
  const flush = async (): Promise<boolean> => {
    const batch = waiting.slice(0, resultsAtOnce)
    if (batch.length === 0) return false
    await record(batch.map(({ finished }) => finished))
    waiting = waiting.slice(batch.length)
    for (const { done } of batch) done()
    return true
  }
  const loop = startLoop({ name: 'recording deliveries', pass: flush, idleMs, log: deps.log })
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

const settled = async (underWay: ReadonlyMap<string, unknown>, patienceMs: number): Promise<void> => {
  const until = performance.now() + patienceMs
  while (underWay.size > 0 && performance.now() < until) await delay(10)
}
