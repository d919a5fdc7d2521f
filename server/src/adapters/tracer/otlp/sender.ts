import { Pool } from 'undici'
import type { Secret } from '../../../lib/secret.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

export type Target = {
  /** The base of the addresses of both signals. */
  readonly endpoint: string
  readonly headers: Secret<Readonly<Record<string, string>>>
}

export type Sent =
  | { readonly kind: 'accepted'; readonly rejected: number }
  /** The same may succeed later: after so long, if the collector said so. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'refused'; readonly reason: string }

export type Sender = AsyncDisposable & {
  /** Ends by a deadline of its own, and never rejects. */
  send(signal: 'traces' | 'metrics', body: object, abort: AbortSignal): Promise<Sent>
}

const deadlineMs = 10_000
const answerBytes = 64 * 1_024
/** The specification of OTLP says that these are worth another attempt. */
const temporary = new Set([429, 502, 503, 504])

export const createSender = ({ endpoint, headers }: Target): Sender => {
  const base = new URL(endpoint)
  const path = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, {
    connections: 2,
    pipelining: 1,
    connect: { timeout: deadlineMs },
    // `send` has the deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: answerBytes,
  })
  return {
    async send(signal, body, abort) {
      try {
        const answer = await pool.request({
          method: 'POST',
          path: `${path}/v1/${signal}`,
          headers: { ...headers.reveal(), 'content-type': 'application/json', 'user-agent': 'Millseal' },
          body: JSON.stringify(body),
          signal: deadlineSignal(deadlineMs, abort),
        })
        const text = await answer.body.text()
        return judge(answer.statusCode, text, answer.headers['retry-after'])
      } catch (error) {
        return { kind: 'unavailable', reason: codeOf(error), retryAfterMs: undefined }
      }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

const judge = (status: number, text: string, retryAfter: string | string[] | undefined): Sent => {
  if (status >= 200 && status < 300) return { kind: 'accepted', rejected: rejectedIn(text) }
  const reason = `answered ${status}`
  if (!temporary.has(status)) return { kind: 'refused', reason }
  const seconds =
    typeof retryAfter === 'string' && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : undefined
  return { kind: 'unavailable', reason, retryAfterMs: seconds === undefined ? undefined : seconds * 1_000 }
}

const rejectedIn = (text: string): number => {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: number | string } }
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}

/** The message may name the address with what is in it. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
