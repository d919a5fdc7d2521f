import { setTimeout as pause } from 'node:timers/promises'

/** Disposing waits for the work that runs. */
export type Ticking = AsyncDisposable

/** Does the work at once, and again each time that the time has passed. */
export const startTicking = (work: () => Promise<void>, everyMs: number): Ticking => {
  const over = new AbortController()
  const tick = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await work()
      await pause(everyMs, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const ticking = tick()
  return {
    async [Symbol.asyncDispose]() {
      over.abort()
      await ticking
    },
  }
}
