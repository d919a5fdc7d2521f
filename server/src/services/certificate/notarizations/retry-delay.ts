const firstDelayMs = 2_000
const longestDelayMs = 6 * 60 * 60 * 1_000

/** An attempt that is further away was planned by a clock that was ahead. */
export const beyondAnyDelayMs = 7 * 60 * 60 * 1_000

/** After this many attempts, most of a day after the first, a notarization fails. That outlasts most outages of a ledger. */
export const maxAttempts = 15

/** Exponential, with jitter: `random` is between 0 and 1. */
export const retryDelayMs = (attempts: number, random: number): number =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1) * (1 + random))
