import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pagePolicy } from '../../../http/html-page.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { signInErrors } from '../pages/sign-in-errors.ts'
import { mountInteractions } from './interactions.ts'
import { type OpenProvider, openOnce } from './open-provider.ts'

const startsPerMinute = 30

/** Serves the built-in provider at the addresses that a sign-in needs, and at no other. */
export const mountProvider = (server: FastifyInstance, deps: AuthDependencies): OpenProvider => {
  const open = openOnce(deps)
  mountInteractions(server, deps, open)
  void server.register(async (scope) => {
    // The provider reads bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    const errorHandler = signInErrors(deps.publicUrl)
    const limited = { limited: { bucket: 'oidc.authorize', perMinute: startsPerMinute } }
    const unlimited = { unlimited: true } as const
    const serve = (method: 'GET' | 'POST', path: string, config: typeof limited | typeof unlimited) =>
      scope.route({
        method,
        url: `/oidc${path}`,
        config,
        exposeHeadRoute: false,
        errorHandler,
        handler: (request, reply) => answer(open, path, request, reply),
      })
    serve('GET', '/auth', limited)
    serve('GET', '/auth/:uid', limited)
    serve('POST', '/token', unlimited)
    serve('GET', '/jwks', unlimited)
    serve('GET', '/.well-known/openid-configuration', unlimited)
  })
  return open
}

/** Passes the request to the provider under the path of the route, however the client spelled the address. */
const answer = async (
  open: OpenProvider,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const provider = await open()
  reply.hijack()
  reply.header('content-security-policy', pagePolicy)
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  const queryAt = request.url.indexOf('?')
  const { uid = '' } = request.params as { uid?: string }
  const own = path.replace(':uid', () => encodeURIComponent(uid))
  request.raw.url = `${own}${queryAt === -1 ? '' : request.url.slice(queryAt)}`
  await provider.answer(request.raw, reply.raw)
}
