import type { FastifyInstance } from 'fastify'
import type { CustomFetch } from 'openid-client'

/**
 * Lets the console call the built-in provider inside this process. The public address may not be reachable from here, and
 * a secret that never leaves the process cannot be intercepted.
 */
export const inProcess =
  (server: FastifyInstance): CustomFetch =>
  async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url)
    const answer = await server.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: `${pathname}${search}`,
      headers: { ...headers },
      payload: body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : undefined,
    })
    const answered = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const each of [value].flat()) if (each !== undefined) answered.append(name, String(each))
    }
    return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers: answered })
  }
