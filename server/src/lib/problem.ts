import { type ErrorCode, errors } from '@millseal/contract'

/** An error of the catalogue. The client sees `details`, which describe this case. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly details: readonly string[]
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    options: { details?: readonly string[]; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(errors[code].message, { cause: options.cause })
    this.code = code
    this.details = options.details ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
