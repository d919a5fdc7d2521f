import { limits, type Operation } from '@millseal/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { networkOf } from '../lib/network-of.ts'
import { Problem } from '../lib/problem.ts'
import { Secret } from '../lib/secret.ts'
import { namedService } from './address.ts'
import { allowAnyOrigin } from './cors.ts'
import { type Principal, principalName } from './principal.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Throws `token_invalid` or `token_expired`. */
export type Authenticate = (token: Secret) => Promise<Principal>

/** Reads the session cookie; undefined if there is none. Throws if another site may have caused the request. */
export type AuthenticateBrowser = (request: FastifyRequest) => Promise<Principal | undefined>

type GateDependencies = {
  readonly authenticate: Authenticate
  readonly authenticateBrowser?: AuthenticateBrowser
  readonly limiter: RateLimiter
  readonly settings: { readonly callsPerMinute: number }
}

/**
 * Checks every request before its body is read, and reports failures in this order: 401, 404 for an unknown version,
 * 429. The call is counted first, so every answer can state the remaining calls.
 */
export const createGate =
  (deps: GateDependencies) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { operation } = request.routeOptions.config
    reply.header('vary', 'x-version').header('x-request-id', request.id)
    if (operation?.cors === 'any') allowAnyOrigin(reply)
    if (operation !== undefined) reply.header('cache-control', 'no-store')
    const caller = await identify(operation, request, deps)
    if (!(caller instanceof Problem)) request.principal = caller
    const limited = await count(request.principal, operation, request, reply, deps)
    if (caller instanceof Problem) throw caller
    assertVersion(request)
    assertOwnService(request, operation)
    if (limited !== undefined) throw limited
  }

/** Returns the caller, undefined if the operation needs none, or the problem with the token. */
const identify = async (
  operation: Operation | undefined,
  request: FastifyRequest,
  deps: GateDependencies,
): Promise<Principal | Problem | undefined> => {
  if (operation === undefined) return undefined
  if (operation.access === 'refresh') {
    request.refreshToken = bearer(request.headers['refresh'])
    return request.refreshToken === undefined
      ? new Problem('unauthenticated', {
          reasons: [because('send_refresh_token')],
        })
      : undefined
  }
  if (operation.access !== 'user' && operation.access !== 'bearer') return undefined
  return findCaller(request, deps).catch((error: unknown) => {
    if (error instanceof Problem) return error
    throw error
  })
}

/** Uses the session cookie only if the request has no `authorization` header. */
const findCaller = async (
  request: FastifyRequest,
  { authenticate, authenticateBrowser }: GateDependencies,
): Promise<Principal> => {
  const { authorization } = request.headers
  const token = bearer(authorization)
  request.accessToken = token
  if (token !== undefined) return authenticate(token)
  const person = authorization === undefined ? await authenticateBrowser?.(request) : undefined
  if (person !== undefined) {
    request.isFromConsole = true
    return person
  }
  throw new Problem('unauthenticated', { reasons: [because('send_token')] })
}

const bearer = (header: string | string[] | undefined): Secret | undefined => {
  const token = typeof header === 'string' ? /^bearer +(\S+)$/i.exec(header.trim())?.[1] : undefined
  return token === undefined ? undefined : new Secret(token)
}

const count = async (
  caller: Principal | undefined,
  operation: Operation | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { limiter, settings }: GateDependencies,
): Promise<Problem | undefined> => {
  const { limited } = request.routeOptions.config
  const own = operation?.limit?.perMinute ?? limited?.perMinute
  const exempt =
    own === 'unlimited' || request.routeOptions.config.unlimited === true || request.method === 'OPTIONS'
  if (settings.callsPerMinute === 0 || exempt) return undefined
  const { allowed, limit, remaining, resetSeconds } = await limiter.consume({
    client: clientName(caller, request),
    bucket: operation?.id ?? limited?.bucket ?? 'unknown',
    limit:
      own ??
      (request.isFromConsole
        ? Math.max(settings.callsPerMinute, limits.consoleCallsPerMinute)
        : settings.callsPerMinute),
  })
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', resetSeconds)
  return allowed
    ? undefined
    : new Problem('rate_limited', {
        retryAfterSeconds: resetSeconds,
        reasons: [because('try_again_in', { seconds: resetSeconds })],
      })
}

/** The console has calls of its own, so that a script with the token of a person does not slow down the person. */
const clientName = (caller: Principal | undefined, { ip, isFromConsole }: FastifyRequest): string => {
  if (caller === undefined) return `ip:${networkOf(ip)}`
  return isFromConsole ? `console:${principalName(caller)}` : principalName(caller)
}

const assertVersion = (request: FastifyRequest): void => {
  const version = request.headers['x-version']
  if (version !== undefined && version !== '1') {
    throw new Problem('version_unknown', {
      reasons: [because('only_version_is', { place: 'header x-version' })],
    })
  }
}

const assertOwnService = (request: FastifyRequest, operation: Operation | undefined): void => {
  const named = namedService(request.originalUrl)
  if (operation === undefined || operation.service === 'every-service') return
  if (named !== undefined && named !== operation.service) throw new Problem('route_unknown')
}
