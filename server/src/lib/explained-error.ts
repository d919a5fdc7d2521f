import { inEnglish, type Reason } from '@millseal/contract/reasons'

/** An error with a reason for a person. The message has the English words; of a plain text there are no others. */
export class ExplainedError extends Error {
  readonly because: Reason | undefined

  constructor(why: Reason | string, options?: ErrorOptions) {
    super(typeof why === 'string' ? why : inEnglish(why), options)
    this.because = typeof why === 'string' ? undefined : why
  }
}
