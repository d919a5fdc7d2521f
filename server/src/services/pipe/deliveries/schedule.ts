const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The delays between a failed attempt and the next one; after the last delay there is one more attempt. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Spreads attempts that failed together; only ever adds to the delay. */
const jitter = 0.1
const maxRetryAfterMs = 24 * hour
/** Longer than any delay: an attempt that is further away was planned before the clock was set back. */
export const beyondAnyDelayMs = 27 * hour

export type Failure = {
  /** Attempts since the schedule started, this one included. */
  readonly tries: number
  readonly nowMs: number
  /** The header of the answer, unparsed. */
  readonly retryAfter: string | undefined
  readonly random: number
}

/** Undefined if no attempt follows. */
export const nextAttemptAt = ({ tries, nowMs, retryAfter, random }: Failure): number | undefined => {
  const delay = retryDelaysMs[tries - 1]
  if (delay === undefined) return undefined
  const requested = Math.min(readRetryAfter(retryAfter, nowMs), maxRetryAfterMs)
  return Math.round(nowMs + Math.max(delay, requested) * (1 + jitter * random))
}

/** RFC 9110 §10.2.3: seconds or a date. */
const readRetryAfter = (value: string | undefined, nowMs: number): number => {
  if (value === undefined) return 0
  if (/^\d+$/.test(value)) return Number(value) * second
  const at = Date.parse(value)
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs)
}
