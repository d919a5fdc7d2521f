import type { ErrorResponse } from './types.ts'

/** The service rejected the call. `answer` is the body of the response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly answer: ErrorResponse | undefined
  /** Seconds to wait before you retry. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, answer: ErrorResponse | undefined, retryAfterSeconds: number | undefined) {
    super(answer?.message ?? `The service answered with status ${status}`)
    this.status = status
    this.answer = answer
    this.retryAfterSeconds = retryAfterSeconds
  }
}
