import type { ErrorResponse } from './types.ts'

/** The service said no. `answer` is what it said, field by field. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly answer: ErrorResponse | undefined
  /** Seconds to wait before the same call makes sense again. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, answer: ErrorResponse | undefined, retryAfterSeconds: number | undefined) {
    super(answer?.message ?? `The service answered ${status}`)
    this.status = status
    this.answer = answer
    this.retryAfterSeconds = retryAfterSeconds
  }
}
