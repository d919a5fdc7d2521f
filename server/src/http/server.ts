import { randomUUID } from 'node:crypto'
import { limits, type Operation } from '@millseal/contract'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, LogController } from 'fastify'
import { Problem } from '../lib/problem.ts'
import type { Secret } from '../lib/secret.ts'
import { isUpgrade } from '../lib/upgrade-routes.ts'
import { canonicalUrl, malformedPath, tooLongPath } from './address.ts'
import type { Access } from './access.ts'
import { registerBodyParsers, withLimit } from './body.ts'
import { limitConnections } from './connection-limit.ts'
import { closeIfUnread, errorBody, logProblem, toProblem } from './error-response.ts'
import type { HttpDependencies, HttpSettings } from './dependencies.ts'
import { createGate } from './gate.ts'
import { offerLanguages } from './pages/page-language.ts'
import { createKnownMethods, type KnownMethods } from './known-methods.ts'
import { rejectConnection } from './reject-connection.ts'
import { Replay } from './idempotency.ts'
import { registerOperations } from './operations.ts'
import { sendErrorPage } from './page-errors.ts'
import type { Principal } from './principal.ts'
import { registerProtectingHeaders } from './protecting-headers.ts'
import { createRateLimiter } from './rate-limit.ts'
import { traceRequests } from './trace-requests.ts'
import { compileFor } from './validation.ts'
import { wantsPage } from './wants-page.ts'
import { startDeadline } from '../lib/deadline.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** For pages and probes outside the API: no rate limit applies. */
    unlimited?: true
    /** The address has other methods. */
    isRefused?: true
    /** For pages with a rate limit. The bucket may be the id of an operation, which then shares the limit. */
    limited?: { readonly bucket: string; readonly perMinute: number }
  }
  interface FastifyRequest {
    principal: Principal | undefined
    accessToken: Secret | undefined
    refreshToken: Secret | undefined
    /** The caller is known by the session cookie of the console. */
    isFromConsole: boolean
    access: Access | undefined
  }
}

export type HttpServer = {
  readonly server: FastifyInstance
  /** The URL of every registered route. */
  readonly routes: readonly string[]
}

export const createHttpServer = async (deps: HttpDependencies): Promise<HttpServer> => {
  const methods = createKnownMethods()
  const server = newServer(deps, methods)
  const routes: string[] = []
  server.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isRefused === true) return
    routes.push(url)
    const service = config?.operation?.service
    methods.add({ url, method, service: service === 'every-service' ? undefined : service })
  })
  server.decorateRequest('principal', undefined)
  server.decorateRequest('accessToken', undefined)
  server.decorateRequest('refreshToken', undefined)
  server.decorateRequest('isFromConsole', false)
  server.decorateRequest('access', undefined)
  server.setValidatorCompiler(({ schema, httpPart }) => compileFor(httpPart, schema as object))
  traceRequests(server, deps.tracer)
  answerInTime(server, deps.settings)
  registerProtectingHeaders(server, deps.settings)
  await registerBodyParsers(server)
  const limiter = createRateLimiter({ query: deps.database.query, clock: deps.clock })
  server.addHook('onRequest', createGate({ ...deps, limiter }))
  // A page that does not exist has a language too.
  offerLanguages(server)
  server.addHook('onRequest', async (request, reply) => refuseUnknown(request, reply, methods))
  limitConnections(server.server, deps.settings)
  observe(server, deps)
  answerErrors(server, deps)
  registerOperations(server, deps)
  for (const { url, methods: method } of methods.lacking())
    server.route({
      method: [...method],
      url,
      exposeHeadRoute: false,
      config: { isRefused: true },
      handler: () => Promise.reject(new Problem('method_not_allowed')),
    })
  return { server, routes }
}

/** Without this interval, Node closes late connections up to 30 s after their time. */
const lateCheckMs = 1_000

const newServer = ({ log, settings, clock }: HttpDependencies, methods: KnownMethods): FastifyInstance => {
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
    },
    trustProxy: settings.trustProxy.length > 0 ? [...settings.trustProxy] : false,
    bodyLimit: limits.body.publicBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 15_000 - lateCheckMs,
      connectionsCheckingInterval: lateCheckMs,
      maxHeaderSize: limits.body.headerBytes,
      shouldUpgradeCallback: (request) => isUpgrade(server.server, request),
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url }) => canonicalUrl(url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2_000 },
    clientErrorHandler: (error, socket) => rejectConnection(error, socket, { clock, methods }),
  })
  return server
}

/** Replaces Fastify's `handlerTimeout`, which adds a twentieth to the time of a small request. */
const answerInTime = (server: FastifyInstance, { answerWithinMs = 25_000 }: HttpSettings): void => {
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    const late = startDeadline(answerWithinMs, () => {
      if (reply.sent) return
      if (raw.headersSent && isStreamed(request)) return
      if (raw.headersSent) raw.destroy()
      else reply.send(new Problem(request.raw.complete ? 'unavailable' : 'request_timeout'))
    })
    raw.once('close', () => late[Symbol.dispose]())
    done()
  })
}

/** Such an answer may take long: its parts have a deadline each. */
const isStreamed = ({ routeOptions }: FastifyRequest): boolean => {
  const answer = routeOptions.config.operation?.answer
  return answer?.kind === 'content' && answer.streamed === true
}

const observe = (server: FastifyInstance, { log, metrics, draining }: HttpDependencies): void => {
  server.addHook('onSend', async (_request, reply) => {
    if (draining()) reply.header('connection', 'close')
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.config.operation?.id ?? request.routeOptions.url ?? 'unknown'
    metrics.observe({
      route,
      method: request.method,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    })
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/** Before the body is read: an address without a route has no limit for it. */
const refuseUnknown = (
  request: FastifyRequest,
  reply: FastifyReply,
  methods: KnownMethods,
): FastifyReply | undefined => {
  if (!request.is404 && request.routeOptions.config.isRefused !== true) return undefined
  if (request.url === malformedPath) throw new Problem('malformed_url')
  if (request.url === tooLongPath) throw new Problem('url_too_long')
  const [path = ''] = request.url.split('?', 1)
  const allowed = methods.at(path, request.originalUrl)
  if (allowed === undefined) return undefined
  if (allowed.length === 0) throw new Problem('route_unknown')
  reply.header('allow', allowed.join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  throw new Problem('method_not_allowed')
}

const answerErrors = (server: FastifyInstance, { clock, log, settings }: HttpDependencies): void => {
  server.setErrorHandler(async (error, request, reply) => {
    if (error instanceof Replay) {
      return reply
        .code(error.status)
        .header('idempotent-replayed', 'true')
        .type('application/json; charset=utf-8')
        .serializer((body: unknown) => body as string)
        .send(Buffer.from(error.body).toString('utf8'))
    }
    const problem = withLimit(toProblem(error), request.routeOptions, settings)
    if (wantsPage(request)) return sendErrorPage(request, reply, problem)
    logProblem(log, problem, request)
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
    closeIfUnread(request, reply, problem)
    reply.header('x-error', problem.code)
    const body = errorBody(problem, { method: request.method, url: request.originalUrl, nowMs: clock.now() })
    return reply
      .code(body.statusCode)
      .type('application/json; charset=utf-8')
      .serializer((value: unknown) => value as string)
      .send(JSON.stringify(body))
  })
}
