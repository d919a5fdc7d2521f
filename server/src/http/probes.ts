import { operations, type Readiness } from '@millseal/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { isSameText } from '../lib/is-same-text.ts'
import { Problem } from '../lib/problem.ts'
import { type Binding, bind } from './binding.ts'
import type { Asked } from './readiness.ts'

/** Health checks no dependency: a restart of this process would not bring a database back. */
export const probes = (deps: {
  readonly readiness: (asked: Asked) => Promise<Readiness>
  readonly draining: () => boolean
}): readonly Binding[] => [
  bind(operations.readHealth, async () => ({ status: 'ok' as const })),
  bind(operations.readReadiness, async ({ query }) => {
    if (deps.draining())
      throw new Problem('unavailable', { reasons: [because('stopping')], retryAfterSeconds: 5 })
    return await deps.readiness(query)
  }),
]

type MetricsAccess = {
  /** In the format of Prometheus. */
  readonly readMetrics: () => Promise<string>
  readonly token: string | undefined
  /** All requests may then come from the proxy on this machine, and not all proxies say that they forward. */
  readonly isBehindProxy: boolean
}

/** With a token, only its holder can read the metrics. Without one, only this machine can, if there is no proxy. */
export const registerMetrics = (
  server: FastifyInstance,
  { readMetrics, token, isBehindProxy }: MetricsAccess,
): void => {
  server.get('/metrics', { config: { unlimited: true } }, async (request, reply) => {
    const allowed =
      token === undefined
        ? !isBehindProxy && isLocal(request)
        : isSameText(request.headers.authorization ?? '', `Bearer ${token}`)
    if (!allowed) throw new Problem(token === undefined ? 'route_unknown' : 'unauthenticated')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await readMetrics())
  })
}

/** A proxy on this machine makes every request look local, so forwarded requests do not count. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] === undefined &&
  headers['forwarded'] === undefined &&
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(socket.remoteAddress ?? '')
