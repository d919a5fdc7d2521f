import type { ServerResponse } from 'node:http'

/**
 * Aborted when the connection is gone before the answer went out. Fastify's own `request.signal` is aborted as soon as
 * the body was read (fastify/fastify#6725).
 */
export const abandonmentOf = (response: ServerResponse): AbortSignal => {
  const abandoned = new AbortController()
  const conclude = (): void => {
    if (!response.writableFinished) abandoned.abort()
  }
  if (response.closed) conclude()
  else response.once('close', conclude)
  return abandoned.signal
}
