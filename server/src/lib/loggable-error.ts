export type LoggableError = {
  readonly type: string
  readonly message: string
  readonly code?: string | undefined
  readonly stack?: string | undefined
  readonly cause?: LoggableError | undefined
}

/**
 * Picks the fields that may be logged. Errors of libraries have others with personal data: the detail of a database error
 * quotes the row.
 */
export const loggableError = (error: unknown): LoggableError => {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  return {
    type: error.name,
    message: error.message,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    stack: error.stack,
    cause: error.cause instanceof Error ? loggableError(error.cause) : undefined,
  }
}
