import type { Pool, PoolClient } from 'pg'
import { startDeadline } from '../../lib/deadline.ts'

export type TakeConnection = () => Promise<PoolClient>

/**
 * Waits for a free connection of the pool, at most so long. The pool itself would end the wait of a process that was stopped
 * although an answer which frees a connection has arrived.
 */
export const waitingPatiently = (pool: Pool, waitMs: number): TakeConnection => {
  const waiting = new Set<() => void>()
  let free = pool.options.max

  const give = (): void => {
    const [begin] = waiting
    if (begin === undefined) free += 1
    else begin()
  }
  const untilFree = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const deadline = startDeadline(waitMs, () => {
      waiting.delete(begin)
      reject(new Error('timeout exceeded when trying to connect'))
    }).unref()
    const begin = (): void => {
      waiting.delete(begin)
      deadline[Symbol.dispose]()
      resolve()
    }
    waiting.add(begin)
    return promise
  }

  pool.on('release', give)
  return async () => {
    if (free > 0) free -= 1
    else await untilFree()
    return await pool.connect().catch((error: unknown) => {
      give()
      throw error
    })
  }
}
