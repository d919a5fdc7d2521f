import type { ServerResponse } from 'node:http'

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
