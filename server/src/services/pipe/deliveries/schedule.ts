const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long after an attempt that failed the next one is made; after the last of these an event is given up. */
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

/** Spreads what failed together; never earlier than promised. */
const jitter = 0.1
const maxRetryAfterMs = 24 * hour

export type Failure = {
  /** Attempts since the schedule began, this one included. */
  readonly tries: number
  readonly nowMs: number
  /** The header of the answer, as it was sent. */
  readonly retryAfter: string | undefined
  readonly random: number
}

/** Undefined: the event is given up. */
export const nextAttemptAt = ({ tries, nowMs, retryAfter, random }: Failure): number | undefined => {
  const delay = retryDelaysMs[tries - 1]
  if (delay === undefined) return undefined
  const asked = Math.min(readRetryAfter(retryAfter, nowMs), maxRetryAfterMs)
  return Math.round(nowMs + Math.max(delay, asked) * (1 + jitter * random))
}

/** RFC 9110 §10.2.3: seconds or a date. */
const readRetryAfter = (value: string | undefined, nowMs: number): number => {
  if (value === undefined) return 0
  if (/^\d+$/.test(value)) return Number(value) * second
  const at = Date.parse(value)
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs)
}
