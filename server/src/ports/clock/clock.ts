/** The only source of time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, like `Date.now()`. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
