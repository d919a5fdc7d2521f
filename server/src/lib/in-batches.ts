import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

type Waiting<Value> = {
  readonly settle: (value: Value | undefined) => void
  readonly fail: (cause: unknown) => void
}

const largestBatch = 200
/** The minimum time between two batches under load: smaller batches would cost more than the wait. */
const spacingMs = 2

/**
 * Batches look-ups by key: calls that arrive while a look-up runs share the next one. A result is never older than the
 * call, so it never contains a right that was revoked before.
 */
export const inBatches = <Value>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): ((key: string) => Promise<Value | undefined>) => {
  let waiting = new Map<string, Waiting<Value>[]>()
  let isRunning = false

  const runBatches = async (): Promise<void> => {
    isRunning = true
    while (waiting.size > 0) {
      // Calls of the same turn of the event loop join this batch.
      await nextTurn()
      const startedAt = performance.now()
      const batch = waiting
      waiting = new Map()
      try {
        const found = await find([...batch.keys()])
        for (const [key, calls] of batch) for (const call of calls) call.settle(found.get(key))
      } catch (cause) {
        for (const calls of batch.values()) for (const call of calls) call.fail(cause)
      }
      const early = startedAt + spacingMs - performance.now()
      if (waiting.size > 0 && early > 0) await delay(early)
    }
    isRunning = false
  }

  return (key) =>
    new Promise((settle, fail) => {
      const calls = waiting.get(key)
      if (calls !== undefined) calls.push({ settle, fail })
      else if (waiting.size < largestBatch) waiting.set(key, [{ settle, fail }])
      else {
        find([key]).then((found) => settle(found.get(key)), fail)
        return
      }
      if (!isRunning) void runBatches()
    })
}
