import { Problem } from './problem.ts'

type Wanted = {
  /** Keys take turns; calls of one key keep their order. */
  readonly key: string
  /** Ends the wait, not the work. */
  readonly signal: AbortSignal
}

export type InTurn = <Result>(wanted: Wanted, work: () => Promise<Result>) => Promise<Result>

type Options = { readonly atOnce: number; readonly longestWaitMs: number }

/**
 * Does at most so many at once. If all of a crowd were begun together, all would be done at the end; so the first are done
 * soon, and the last not later. Rejects with the reason of the signal if it aborts before the turn, and with `unavailable`
 * if the turn does not come in time.
 */
export const createTurns = ({ atOnce, longestWaitMs }: Options): InTurn => {
  const waiting = new Map<string, Set<() => void>>()
  let running = 0

  const beginNext = (): void => {
    const [first] = waiting
    if (first === undefined || running >= atOnce) return
    const [key, calls] = first
    const [begin] = calls
    waiting.delete(key)
    if (begin === undefined) return
    calls.delete(begin)
    if (calls.size > 0) waiting.set(key, calls)
    running += 1
    begin()
  }

  const untilTurn = ({ key, signal }: Wanted): Promise<void> => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const calls = waiting.get(key) ?? new Set()
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    const begin = (): void => {
      settle()
      resolve()
    }
    const leave = (reason: unknown): void => {
      settle()
      calls.delete(begin)
      if (calls.size === 0 && waiting.get(key) === calls) waiting.delete(key)
      reject(reason)
    }
    const abort = (): void => leave(signal.reason)
    signal.addEventListener('abort', abort)
    const timer = setTimeout(leave, longestWaitMs, new Problem('unavailable', { retryAfterSeconds: 5 }))
    waiting.set(key, calls.add(begin))
    beginNext()
    return promise
  }

  return async (wanted, work) => {
    await untilTurn(wanted)
    try {
      return await work()
    } finally {
      running -= 1
      beginNext()
    }
  }
}
