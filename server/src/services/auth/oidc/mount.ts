import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Secret } from '../../../lib/secret.ts'
import { pagePolicy } from '../../../http/html-page.ts'
import { signInErrors } from '../pages/sign-in-errors.ts'
import type { IsBegunBy } from './interaction.ts'
import { mountInteractions } from './interactions.ts'
import { createProvider, type ProviderDependencies } from './provider.ts'
import { ensureSecrets, type ProviderSecrets } from './secrets.ts'
import type { UserService } from '../../user/index.ts'

export type BuiltInIssuerDependencies = ProviderDependencies & {
  readonly users: Pick<UserService, 'findSigner' | 'checkPassword' | 'assertSecondFactor'>
  readonly publicUrl: () => string
  readonly isBegunBy: IsBegunBy
}

export type OpenedProvider = {
  readonly provider: Provider
  readonly answer: ReturnType<Provider['callback']>
  readonly secrets: Secret<ProviderSecrets>
}
export type OpenProvider = () => Promise<OpenedProvider>

const startsPerMinute = 30

/** The built-in provider, at exactly the addresses one sign-in needs. */
export const mountProvider = (server: FastifyInstance, deps: BuiltInIssuerDependencies): OpenProvider => {
  const open = openOnce(deps)
  mountInteractions(server, { ...deps, open })
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
        handler: passOn(open, path),
      })
    serve('GET', '/auth', limited)
    serve('GET', '/auth/:uid', limited)
    serve('POST', '/token', unlimited)
    serve('GET', '/jwks', unlimited)
    serve('GET', '/.well-known/openid-configuration', unlimited)
  })
  return open
}

/** Loading the library takes a fifth of a second and 40 MB: whoever never signs in here never pays for it. */
const openOnce = (deps: BuiltInIssuerDependencies): OpenProvider => {
  let opened: Promise<OpenedProvider> | undefined
  return () => {
    opened ??= openProvider(deps).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}

const openProvider = async (deps: BuiltInIssuerDependencies): Promise<OpenedProvider> => {
  const secrets = await ensureSecrets(deps)
  const provider = await createProvider(deps, { publicUrl: deps.publicUrl(), secrets })
  return { provider, answer: provider.callback(), secrets }
}

/** The provider sees the one path it was mounted for, however the address was spelled. */
const passOn =
  (open: OpenProvider, path: string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { answer } = await open()
    reply.hijack()
    reply.header('content-security-policy', pagePolicy)
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    const queryAt = request.url.indexOf('?')
    const { uid = '' } = request.params as { uid?: string }
    const own = path.replace(':uid', () => encodeURIComponent(uid))
    request.raw.url = `${own}${queryAt === -1 ? '' : request.url.slice(queryAt)}`
    await answer(request.raw, reply.raw)
  }
