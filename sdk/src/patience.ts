import type { Send } from './send.ts'

export type Patience = {
  /** The maximum number of requests for a call. Default: 5. */
  readonly attempts?: number
  /** The maximum total wait between the requests of a call. Default: 90 s, because rate limits are per minute. */
  readonly waitMs?: number
}

const defaults = { attempts: 5, waitMs: 90_000 }
const firstPauseMs = 250
const longestPauseMs = 8_000

/**
 * Waits as long as `Retry-After` says and retries lost requests. A call that may have had an effect is retried only if it
 * is repeatable. A rate limited call (429) had no effect.
 */
export const sendPatiently = (send: Send, given: Patience = {}): Send => {
  const { attempts, waitMs } = { ...defaults, ...given }
  return async (request, call) => {
    let waited = 0
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOnce(() => send(request.clone(), call))
      const pauseMs = pauseAfter(outcome, { attempt, isRepeatable: call.isRepeatable })
      if (pauseMs === undefined || attempt >= attempts || waited + pauseMs > waitMs) return settle(outcome)
      if (outcome.response !== undefined) await outcome.response.body?.cancel()
      await pause(pauseMs, request.signal)
      waited += pauseMs
    }
  }
}

type Outcome =
  | { readonly response: Response; readonly error?: never }
  | { readonly response?: never; readonly error: unknown }

const attemptOnce = async (work: () => Promise<Response>): Promise<Outcome> => {
  try {
    return { response: await work() }
  } catch (error) {
    return { error }
  }
}

const settle = ({ response, error }: Outcome): Response => {
  if (response === undefined) throw error
  return response
}

/** Undefined if a retry cannot help. */
const pauseAfter = (
  { response, error }: Outcome,
  { attempt, isRepeatable }: { readonly attempt: number; readonly isRepeatable: boolean },
): number | undefined => {
  const backoffMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)
  if (response === undefined) return isRepeatable && isLost(error) ? backoffMs : undefined
  const asked = retryAfterMs(response)
  if (response.status === 429) return asked ?? backoffMs
  // 409 with Retry-After: the first request of this call is still running.
  if (response.status === 409) return isRepeatable ? asked : undefined
  return isRepeatable && [502, 503, 504].includes(response.status) ? (asked ?? backoffMs) : undefined
}

/** `fetch` throws a TypeError if the connection fails, and another error if the call is aborted. */
const isLost = (error: unknown): boolean => error instanceof TypeError

const retryAfterMs = ({ headers }: Response): number | undefined => {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined
}

/** Rejects immediately with the reason of the signal. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal))
    const abort = () => {
      clearTimeout(timer)
      if (signal !== undefined) reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new DOMException('The call was aborted', 'AbortError')
