import { type CreateHook, type Mode, webhookHeaders } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import type { Secret } from '../../../lib/secret.ts'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import { NotDelivered, type Receipt } from '../../../ports/courier/courier.ts'
import { eventAttributes } from '../../../ports/tracer/known-spans.ts'
import type { KnownSpan, Span } from '../../../ports/tracer/tracer.ts'
import type { PipeDependencies } from '../dependencies.ts'
import type { HookHeader } from './hook-headers.ts'
import { signatureHeaders } from '../signatures/sign.ts'
import { shownAnswerHeaders, shownRequestHeaders } from './shown-headers.ts'

/** One event for one receiver. */
export type HookRequest = {
  readonly connectionUrl: string
  readonly contentType: NonNullable<CreateHook['contentType']>
  readonly enableSsl: boolean
  /** Those that the company added. */
  readonly headers: Secret<readonly HookHeader[]>
  /** The first one is the key of `signature`. If empty, the request is not signed. */
  readonly secrets: readonly Secret[]
  readonly eventId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly payload: Uint8Array
  /** The span that caused the delivery; without it, the one that makes the request. */
  readonly parent?: KnownSpan
}

/** What was sent and what came back, as far as it may be stored and shown. */
export type Exchange = {
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  /** JSON of the reason. */
  readonly reasons: string | null
  /** JSON of the address and the headers. */
  readonly request: string
  /** The first bytes. */
  readonly answer: Uint8Array | null
  /** JSON by name. */
  readonly answerHeaders: string | null
  readonly retryAfter: string | undefined
}

const maxAnswerBytes = 1_024

export const isSuccess = (status: number | null | undefined): boolean =>
  typeof status === 'number' && status >= 200 && status < 300

/** Makes one attempt. Never rejects: an error is a part of the result. */
export const sendRequest = (
  deps: PipeDependencies,
  request: HookRequest,
  signal: AbortSignal,
): Promise<Exchange> => {
  const { eventId: id, parent } = request
  const attributes = {
    ...eventAttributes({ ...request, id, aboutId: undefined }),
    'http.request.method': 'POST',
  }
  const span = { name: 'deliver webhook', kind: 'client', attributes, parent } as const
  return deps.tracer.run(span, (own) => exchange(deps, request, { signal, span: own }))
}

const exchange = async (
  { courier, clock, log }: PipeDependencies,
  request: HookRequest,
  { signal, span }: { readonly signal: AbortSignal; readonly span: Span },
): Promise<Exchange> => {
  const startedAtMs = clock.now()
  const started = performance.now()
  const { connectionUrl: url, enableSsl: verifyCertificate } = request
  const body = bodyOf(request)
  const headers = headersOf(request, { body, startedAtMs, traceparent: span.traceparent })
  const names = request.headers.reveal().map(({ name }) => name)
  const common = {
    startedAt: new Date(startedAtMs),
    request: JSON.stringify({ url, headers: shownRequestHeaders(headers, names) }),
    statusCode: null,
    answer: null,
    answerHeaders: null,
    retryAfter: undefined,
  }
  const sinceStart = (): number => Math.round(performance.now() - started)
  try {
    const receipt = await courier.post({ url, headers, body, verifyCertificate, signal })
    span.set({ 'http.response.status_code': receipt.status })
    if (!isSuccess(receipt.status)) span.fail(String(receipt.status))
    return { ...common, ...readReceipt(receipt), durationMs: sinceStart() }
  } catch (error) {
    if (!(error instanceof NotDelivered))
      log.error({ err: error, eventId: request.eventId }, 'an attempt failed')
    span.fail('NotDelivered')
    const reason = error instanceof NotDelivered ? error.because : because('request_failed')
    return { ...common, ...storedReasons([reason]), durationMs: sinceStart() }
  }
}

const headersOf = (
  request: HookRequest,
  {
    body,
    startedAtMs,
    traceparent,
  }: {
    readonly body: Uint8Array
    readonly startedAtMs: number
    readonly traceparent: string | undefined
  },
): Readonly<Record<string, string>> => ({
  'user-agent': 'Millseal',
  accept: '*/*',
  ...Object.fromEntries(request.headers.reveal().map(({ name, value }) => [name.toLowerCase(), value])),
  ...(traceparent !== undefined && { traceparent }),
  'content-type': request.contentType,
  ...signatureHeaders({
    id: request.eventId,
    timestampSeconds: Math.floor(startedAtMs / 1_000),
    body,
    secrets: request.secrets,
  }),
  [webhookHeaders.resource]: request.resource,
  [webhookHeaders.action]: request.action,
  [webhookHeaders.mode]: request.mode,
})

const bodyOf = ({ contentType, payload }: HookRequest): Uint8Array =>
  contentType === 'application/json'
    ? payload
    : Buffer.from(new URLSearchParams({ payload: Buffer.from(payload).toString('utf8') }).toString())

const readReceipt = ({ status, headers, answer }: Receipt) => {
  const failure = isSuccess(status) ? undefined : storedReasons([refusalOf(status)])
  return {
    statusCode: status,
    retryAfter: headers['retry-after'],
    error: failure?.error ?? null,
    reasons: failure?.reasons ?? null,
    answer: answer.length === 0 ? null : answer.subarray(0, maxAnswerBytes),
    answerHeaders: JSON.stringify(shownAnswerHeaders(headers)),
  }
}

const refusalOf = (status: number): Reason =>
  because(status >= 300 && status < 400 ? 'receiver_redirected' : 'receiver_answered', { status })
