import type { ErrorCode } from '@millseal/contract'
import type { ErrorResponse } from './types.ts'

/** The service rejected the call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The body of the answer. */
  readonly answer: ErrorResponse | undefined
  /** The entry of the error catalogue. */
  readonly code: ErrorCode | undefined
  /** The log of the service names the call by this. */
  readonly requestId: string | undefined
  /** Seconds to wait before you retry. */
  readonly retryAfterSeconds: number | undefined

  constructor({ status, headers }: Response, answer: ErrorResponse | undefined) {
    super(answer?.message ?? `The service answered with status ${status}`)
    this.status = status
    this.answer = answer
    this.code = (headers.get('x-error') ?? undefined) as ErrorCode | undefined
    this.requestId = headers.get('x-request-id') ?? undefined
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isNaN(retryAfter) ? undefined : retryAfter
  }
}
