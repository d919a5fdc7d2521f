import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noTracer, type RequestSpan, type Tracer } from '../ports/tracer/tracer.ts'

/** Makes each answer to a request a span, except for probes and pages that load balancers and scrapers ask for all the time. */
export const traceRequests = (server: FastifyInstance, tracer: Tracer = noTracer): void => {
  if (tracer === noTracer) return
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  server.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    if (!isProbe(request))
      spans.set(request, tracer.beginRequest(typeof traceparent === 'string' ? traceparent : undefined))
    done()
  })
  // As late as possible: reading the body loses what was running before.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  })
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const { method, id, routeOptions } = request
    const shown = routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}')
    const operation = routeOptions.config.operation?.id
    spans.get(request)?.end({
      name: shown === undefined ? method : `${method} ${shown}`,
      attributes: {
        'http.request.method': method,
        'http.route': shown,
        'http.response.status_code': statusCode,
        'millseal.operation': operation,
        'millseal.request.id': id,
      },
      error: statusCode >= 500 ? String(statusCode) : undefined,
    })
    done()
  })
}

const isProbe = ({ routeOptions: { url, config } }: FastifyRequest): boolean =>
  url === '/metrics' || config.operation?.service === 'every-service'
