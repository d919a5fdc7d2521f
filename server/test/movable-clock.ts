import type { Clock } from '../src/ports/clock/clock.ts'

export interface MovableClock extends Clock {
  advance(by: { seconds?: number; minutes?: number; days?: number }): void
  /** Stops the clock, so that only the test advances it; disposing the result starts it again. */
  freeze(): Disposable
}

/** Runs like the clock of the machine, and can be moved ahead of it. */
export const movableClock = (): MovableClock => {
  let aheadMs = 0
  let frozenAtMs: number | undefined
  return {
    now: () => (frozenAtMs ?? Date.now()) + aheadMs,
    advance: ({ seconds = 0, minutes = 0, days = 0 }) => {
      aheadMs += ((days * 24 * 60 + minutes) * 60 + seconds) * 1_000
    },
    freeze: () => {
      frozenAtMs = Date.now()
      return {
        [Symbol.dispose]: () => {
          frozenAtMs = undefined
        },
      }
    },
  }
}
