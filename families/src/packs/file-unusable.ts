import { because, inEnglish, type Reason } from '@millseal/contract/reasons'

/** A file of an import cannot be used. */
export class FileUnusable extends TypeError {
  override readonly name = 'FileUnusable'
  readonly reason: Reason

  constructor(reason: Reason, options?: ErrorOptions) {
    super(inEnglish(reason), options)
    this.reason = reason
  }
}

/** Other errors are those of an address that a file names. */
export const reasonOf = (error: unknown): Reason => {
  if (error instanceof FileUnusable) return error.reason
  return because('file_unreadable', { why: error instanceof Error ? error.message : 'unreadable' })
}
