import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from './cors.ts'

/** RFC 7517: the public keys for verifying access tokens without calling this service. */
export const registerJwks = (server: FastifyInstance, read: () => Promise<object>): void => {
  server.get('/.well-known/jwks.json', { config: { unlimited: true } }, async (_request, reply) => {
    allowAnyOrigin(reply)
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .send(await read())
  })
}
