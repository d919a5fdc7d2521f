/** The time, as everything in this product asks for it: a test holds a clock it can move. */
export interface Clock {
  /** Milliseconds since 1970, as Date.now() gives them. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
