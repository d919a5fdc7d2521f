import { Problem } from './problem.ts'
import { startDeadline } from './deadline.ts'

type Wanted = {
  /** Calls of one key wait for each other, in their order, and for no others. */
  readonly key: string
  /** Ends the wait, not the work. */
  readonly signal: AbortSignal
}

export type InTurn = <Result>(wanted: Wanted, work: () => Promise<Result>) => Promise<Result>

type Options = { readonly atOnce: number; readonly longestWaitMs: number }

/**
 * Does at most so many of a key at once. If all of a crowd were begun together, all would be done at the end; so the first are done
 * soon, and the last not later. Rejects with the reason of the signal if it aborts before the turn, and with `unavailable`
 * if the turn does not come in time.
 */
export const createTurns = ({ atOnce, longestWaitMs }: Options): InTurn => {
  const waiting = new Map<string, Set<() => void>>()
  const running = new Map<string, number>()

  const beginNext = (key: string): void => {
    const count = running.get(key) ?? 0
    const calls = waiting.get(key)
    const [begin] = calls ?? []
    if (calls === undefined || begin === undefined || count >= atOnce) return
    calls.delete(begin)
    if (calls.size === 0) waiting.delete(key)
    running.set(key, count + 1)
    begin()
  }

  const finish = (key: string): void => {
    const count = (running.get(key) ?? 1) - 1
    if (count === 0) running.delete(key)
    else running.set(key, count)
    beginNext(key)
  }

  const untilTurn = ({ key, signal }: Wanted): Promise<void> => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const calls = waiting.get(key) ?? new Set()
    const settle = (): void => {
      deadline[Symbol.dispose]()
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
    const deadline = startDeadline(longestWaitMs, () =>
      leave(new Problem('unavailable', { retryAfterSeconds: 5 })),
    )
    waiting.set(key, calls.add(begin))
    beginNext(key)
    return promise
  }

  return async (wanted, work) => {
    await untilTurn(wanted)
    try {
      return await work()
    } finally {
      finish(wanted.key)
    }
  }
}
