import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type HttpMetrics = {
  observe(request: { route: string; method: string; status: number; seconds: number }): void
}

export type Metrics = HttpMetrics & { readonly registry: Registry }

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'millseal_' })
  const requests = new Histogram({
    name: 'millseal_http_request_seconds',
    help: 'Time to answer HTTP requests, by operation',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  return {
    registry,
    observe: ({ route, method, status, seconds }) =>
      requests.observe({ route, method, status: String(status) }, seconds),
  }
}
