import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Aborts if the client disconnects before it has the whole answer. Fastify's own `request.signal` already aborts when
 * the body has been read (fastify/fastify#6725).
 */
export const disconnectSignal = (response: ServerResponse): AbortSignal => {
  const disconnected = new AbortController()
  const onClose = (): void => {
    if (!response.writableFinished) disconnected.abort()
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return disconnected.signal
}

/** Whether an error says only that the client disconnected before its answer. */
export const isDisconnect = (error: unknown, { destroyed }: Socket): boolean =>
  destroyed &&
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && disconnectCodes.has(error.code)))

const disconnectCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])
