import { ApiError } from '../../../api/client.ts'

const pause = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const abort = () => reject(new DOMException('The work was stopped', 'AbortError'))
  signal.addEventListener('abort', abort)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  })
}

/** Repeats a call while its rate limit makes the server refuse it. */
export const patiently = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      await pause((error.retryAfterSeconds ?? 5) * 1_000, signal)
    }
  }
}

/** Handles all items, a few at a time. */
export const forEachOf = async <T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker))
}
