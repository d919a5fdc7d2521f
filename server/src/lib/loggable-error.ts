export type LoggableError = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: LoggableError
}

/**
 * What of an error may be logged. Only these fields: errors of libraries carry more, and some of it is data of people
 * (the detail of a database error quotes the row).
 */
export const loggableError = (error: unknown): LoggableError => {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause instanceof Error ? { cause: loggableError(error.cause) } : {}),
  }
}
