import { type ErrorCode, errors } from '@millseal/contract'
import { inEnglish, type Reason } from '@millseal/contract/reasons'

/** An error of the catalogue. The client sees `reasons`, which describe this case, and their English words as `details`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly reasons: readonly Reason[]
  readonly details: readonly string[]
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    options: { reasons?: readonly Reason[]; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(errors[code].message, { cause: options.cause })
    this.code = code
    this.reasons = options.reasons ?? []
    this.details = this.reasons.map(inEnglish)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
