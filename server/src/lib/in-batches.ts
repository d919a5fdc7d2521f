import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

type Waiting<Value> = {
  readonly settle: (value: Value | undefined) => void
  readonly fail: (cause: unknown) => void
}

const largestBatch = 200
/** Who comes while a question is under way waits this long since it was asked: one for each would cost more than the answer. */
const spacingMs = 2

/**
 * Looks things up by key, many at once under load: what is asked while a question is under way is asked together in the
 * next one. An answer is never older than its question, so a right that was revoked before the call is gone in it.
 */
export const inBatches = <Value>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): ((key: string) => Promise<Value | undefined>) => {
  let waiting = new Map<string, Waiting<Value>[]>()
  let asking = false

  const ask = async (): Promise<void> => {
    asking = true
    while (waiting.size > 0) {
      // Whoever arrived in this turn of the event loop comes along.
      await nextTurn()
      const askedAt = performance.now()
      const batch = waiting
      waiting = new Map()
      try {
        const found = await find([...batch.keys()])
        for (const [key, calls] of batch) for (const call of calls) call.settle(found.get(key))
      } catch (cause) {
        for (const calls of batch.values()) for (const call of calls) call.fail(cause)
      }
      const early = askedAt + spacingMs - performance.now()
      if (waiting.size > 0 && early > 0) await delay(early)
    }
    asking = false
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
      if (!asking) void ask()
    })
}
