import { type Clock, systemClock } from '../src/ports/clock/clock.ts'

type Duration = { seconds?: number; minutes?: number; days?: number }

export interface MovableClock extends Clock {
  /** Lets time pass. */
  advance(by: Duration): void
  /** Sets the clock, back if negative, while no time passes. */
  jump(by: Duration): void
  /** Stops it, so that a busy machine adds nothing to what the test advances; disposing the result starts it again. */
  freeze(): Disposable
}

/** Runs with the machine, and can be moved. */
export const movableClock = (): MovableClock => {
  let passedMs = 0
  let setByMs = 0
  let frozenAt: { readonly now: number; readonly steady: number } | undefined
  const read = () => frozenAt ?? { now: systemClock.now(), steady: systemClock.steady() }
  return {
    now: () => read().now + passedMs + setByMs,
    steady: () => read().steady + passedMs,
    advance: (by) => {
      passedMs += millisecondsOf(by)
    },
    jump: (by) => {
      setByMs += millisecondsOf(by)
    },
    freeze: () => {
      frozenAt = read()
      return {
        [Symbol.dispose]: () => {
          frozenAt = undefined
        },
      }
    },
  }
}

const millisecondsOf = ({ seconds = 0, minutes = 0, days = 0 }: Duration): number =>
  ((days * 24 * 60 + minutes) * 60 + seconds) * 1_000
