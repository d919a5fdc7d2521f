import { operations } from '@millseal/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameText } from '../lib/is-same-text.ts'
import { Problem } from '../lib/problem.ts'
import { type Binding, bind } from './binding.ts'
import type { Metrics } from './metrics.ts'

/** Something the service cannot work without. `check` rejects, or does not answer in time, if it is down. */
export type Dependency = {
  readonly name: string
  readonly part: { check(signal: AbortSignal): Promise<void>; readonly warning?: string | undefined }
  /** While it is down, the process still answers most requests: readiness names it, but stays 200. */
  readonly isOptional?: boolean
}

const checkDeadlineMs = 2_000

/** Health checks no dependency: a restart of this process would not bring a database back. Readiness checks all. */
export const probes = (deps: {
  dependencies: readonly Dependency[]
  draining: () => boolean
}): readonly Binding[] => [
  bind(operations.readHealth, async () => ({ status: 'ok' as const })),
  bind(operations.readReadiness, async () => {
    if (deps.draining()) throw new Problem('unavailable', { details: ['stopping'], retryAfterSeconds: 5 })
    const results = await Promise.all(deps.dependencies.map(probe))
    const down = results.filter(({ error, isOptional }) => error !== undefined && !isOptional)
    if (down.length > 0) {
      throw new Problem('unavailable', {
        details: down.map(({ name, error }) => `${name}: ${error}`),
        retryAfterSeconds: 5,
      })
    }
    return {
      status: 'ready' as const,
      dependencies: results.map(({ name, error, warning }) => ({
        name,
        status: error === undefined ? ('up' as const) : ('down' as const),
        ...(error === undefined && warning === undefined ? {} : { error: error ?? warning }),
      })),
    }
  }),
]

const probe = async ({ name, part, isOptional = false }: Dependency) => {
  const signal = AbortSignal.timeout(checkDeadlineMs)
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${checkDeadlineMs} ms`)), {
      once: true,
    })
  })
  const error = await Promise.race([part.check(signal), late]).then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message : 'failed'),
  )
  return { name, error, isOptional, warning: part.warning }
}

type MetricsAccess = {
  readonly metrics: Metrics
  readonly token: string | undefined
  /** All requests may then come from the proxy on this machine, and not all proxies say that they forward. */
  readonly isBehindProxy: boolean
}

/** With a token, only its holder can read the metrics. Without one, only this machine can, if there is no proxy. */
export const registerMetrics = (
  server: FastifyInstance,
  { metrics, token, isBehindProxy }: MetricsAccess,
): void => {
  server.get('/metrics', { config: { unlimited: true } }, async (request, reply) => {
    const allowed =
      token === undefined
        ? !isBehindProxy && isLocal(request)
        : isSameText(request.headers.authorization ?? '', `Bearer ${token}`)
    if (!allowed) throw new Problem(token === undefined ? 'route_unknown' : 'unauthenticated')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text())
  })
}

/** A proxy on this machine makes every request look local, so forwarded requests do not count. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] === undefined &&
  headers['forwarded'] === undefined &&
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(socket.remoteAddress ?? '')
