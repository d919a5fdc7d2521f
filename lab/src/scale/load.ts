import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, type ReverseProxy } from '../../../server/test/reverse-proxies.ts'
import type { Mill } from '../faults/mill.ts'
import { type Accepted, type Exchange, openTraffic, type Traffic } from '../faults/traffic.ts'
import type { Certificates } from '../faults/certificates.ts'
import type { Installation } from './installation.ts'

/** When requests of a kind were first sent, and when they succeeded. */
type Timeline = { readonly wanted: number[]; readonly done: number[] }

export type Load = AsyncDisposable &
  Pick<Traffic, 'answers' | 'surprises'> & {
    readonly accepted: readonly (Accepted & { readonly atMs: number })[]
    readonly accepting: Timeline
    readonly verifying: Timeline
    /** From the first request of each certificate until it was accepted. */
    readonly acceptedAfterMs: readonly number[]
    /** Turns in which no client was free. */
    readonly skipped: () => number
  }

const [againMs, giveUpMs] = [500, 35_000]
const [verifyEveryMs, listEveryMs] = [250, 1_000]
/** nginx has 512 connections, and two for each request. */
const [maxWriters, maxReaders] = [150, 40]

/**
 * Notarizes, verifies and lists through the proxy at a steady rate, whatever the answers are, until it is disposed. Each
 * request is repeated until it succeeds; every second certificate has an Idempotency-Key.
 */
export const startLoad = ({
  installation: { proxy },
  mill,
  certificates,
  rate,
}: {
  readonly installation: Installation
  readonly mill: Mill
  readonly certificates: Certificates
  /** Certificates a second. */
  readonly rate: number
}): Load => {
  const agent = new Agent({ keepAlive: true })
  const { answers, surprises, send, notarize } = openTraffic(exchangeWith(proxy, { mill, agent }), mill)
  const accepted: (Accepted & { readonly atMs: number })[] = []
  const acceptedAfterMs: number[] = []
  const [accepting, verifying, listing] = [newTimeline(), newTimeline(), newTimeline()]
  const until = repeating(surprises)
  let last = certificates.make().body
  const write = async (): Promise<void> => {
    const { number, body } = certificates.make()
    const asked = { body, idempotencyKey: accepting.wanted.length % 2 === 0 ? undefined : randomUUID() }
    const startMs = Date.now()
    const hash = await until(() => notarize(asked), accepting)
    if (hash === undefined) return
    accepted.push({ number, hash, atMs: Date.now() })
    acceptedAfterMs.push(Date.now() - startMs)
    last = body
  }
  const verify = () =>
    until(() => send({ method: 'POST', path: '/certificates/verify?mode=test', body: last }), verifying)
  const list = () => until(() => send({ method: 'GET', path: '/certificates?limit=20&mode=test' }), listing)
  const lanes = [
    startLane(write, { everyMs: 1_000 / rate, most: maxWriters }),
    startLane(verify, { everyMs: verifyEveryMs, most: maxReaders }),
    startLane(list, { everyMs: listEveryMs, most: maxReaders }),
  ]
  return {
    accepted,
    accepting,
    verifying,
    acceptedAfterMs,
    answers,
    surprises,
    skipped: () => lanes[0]?.skipped() ?? 0,
    async [Symbol.asyncDispose]() {
      await Promise.all(lanes.map((lane) => lane[Symbol.asyncDispose]()))
      agent.destroy()
    },
  }
}

const exchangeWith =
  (proxy: ReverseProxy, { mill, agent }: { readonly mill: Mill; readonly agent: Agent }): Exchange =>
  ({ method, path, body, idempotencyKey }) =>
    ask(proxy, {
      path: `/api${path}`,
      method,
      headers: {
        ...mill.headers,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
      agent,
      signal: AbortSignal.timeout(giveUpMs),
    })

const newTimeline = (): Timeline => ({ wanted: [], done: [] })

/** Repeats until it succeeds. Undefined after an answer that no repetition changes. */
const repeating =
  (surprises: readonly string[]) =>
  async <T>(attempt: () => Promise<T | undefined>, { wanted, done }: Timeline): Promise<T | undefined> => {
    wanted.push(Date.now())
    while (surprises.length === 0) {
      const found = await attempt()
      if (found !== undefined) {
        done.push(Date.now())
        return found
      }
      await pause(againMs)
    }
    return undefined
  }

/** Begins work at its time, also while earlier work waits, until too much waits. */
const startLane = (
  work: () => Promise<unknown>,
  { everyMs, most }: { readonly everyMs: number; readonly most: number },
): AsyncDisposable & { readonly skipped: () => number } => {
  const over = new AbortController()
  const running = new Set<Promise<unknown>>()
  let skipped = 0
  const begin = (): void => {
    if (running.size >= most) {
      skipped += 1
      return
    }
    const one = work().finally(() => running.delete(one))
    running.add(one)
  }
  const turn = async (): Promise<void> => {
    let dueMs = performance.now()
    while (!over.signal.aborted) {
      begin()
      dueMs = Math.max(dueMs + everyMs, performance.now() - 1_000)
      await pause(Math.max(0, dueMs - performance.now()))
    }
  }
  const turning = turn()
  return {
    skipped: () => skipped,
    async [Symbol.asyncDispose]() {
      over.abort()
      await turning
      await Promise.all(running)
    },
  }
}
