import type { Clock } from '../ports/clock/clock.ts'
import type { Query } from '../ports/database/database.ts'
import { countCalls } from './rate-limit.store.ts'

export const windowMs = 60_000

export type Allowance = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type RateLimiter = {
  consume(call: { client: string; bucket: string; limit: number }): Promise<Allowance>
}

type Waiting = {
  readonly limit: number
  readonly settle: (allowance: Allowance) => void
  readonly fail: (cause: unknown) => void
}

/**
 * Counts fixed windows of a minute in the database, so all processes share them. Calls that arrive while a statement
 * runs are counted together by the next one. An exhausted bucket is rejected without a statement.
 */
export const createRateLimiter = (deps: { query: Query; clock: Clock }): RateLimiter => {
  const exhaustedUntil = new Map<string, number>()
  let waiting = new Map<string, { client: string; bucket: string; calls: Waiting[] }>()
  let counting = false

  const count = async (): Promise<void> => {
    counting = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      await settle(batch).catch((cause: unknown) => {
        for (const { calls } of batch.values()) for (const call of calls) call.fail(cause)
      })
    }
    counting = false
  }

  const settle = async (batch: typeof waiting): Promise<void> => {
    const nowMs = deps.clock.now()
    const consumptions = [...batch.values()].map(({ client, bucket, calls }) => ({
      client,
      bucket,
      calls: calls.length,
    }))
    for (const window of await countCalls(deps.query, consumptions, { nowMs, windowMs })) {
      const key = keyOf(window)
      const calls = batch.get(key)?.calls ?? []
      const resetMs = window.windowStart.getTime() + windowMs
      calls.forEach((call, index) => {
        const used = window.calls - calls.length + index + 1
        call.settle(allowance(call.limit, used, resetMs - nowMs))
        if (used >= call.limit) exhaustedUntil.set(key, resetMs)
      })
    }
    deleteExpired(exhaustedUntil, nowMs)
  }

  return {
    consume({ client, bucket, limit }) {
      const key = keyOf({ client, bucket })
      const leftMs = (exhaustedUntil.get(key) ?? 0) - deps.clock.now()
      // After the clock was set back, the window is counted again from now on.
      if (leftMs > 0 && leftMs <= windowMs) return Promise.resolve(allowance(limit, limit + 1, leftMs))
      return new Promise((resolve, reject) => {
        const entry = waiting.get(key) ?? { client, bucket, calls: [] }
        entry.calls.push({ limit, settle: resolve, fail: reject })
        waiting.set(key, entry)
        if (!counting) void count()
      })
    },
  }
}

const keyOf = ({ client, bucket }: { client: string; bucket: string }): string => `${client}\n${bucket}`

const allowance = (limit: number, used: number, leftMs: number): Allowance => ({
  allowed: used <= limit,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.max(1, Math.ceil(leftMs / 1_000)),
})

const deleteExpired = (until: Map<string, number>, nowMs: number): void => {
  if (until.size < 10_000) return
  for (const [key, resetMs] of until) if (resetMs <= nowMs) until.delete(key)
}
