import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Clock } from '../ports/clock/clock.ts'
import { noTracer, type Tracer } from '../ports/tracer/tracer.ts'
import { readVersion } from './status.ts'

/** Loads nothing unless the operator named a collector. */
export const openTracer = async (
  config: Config,
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics },
): Promise<Tracer> => {
  const { otlpEndpoint: endpoint, otelServiceName: serviceName, tracesSampler: sampler } = config
  if (endpoint === undefined || config.otelDisabled) return noTracer
  const { openOtlp } = await import('../adapters/tracer/otlp/open-otlp.ts')
  const { otlpHeaders: headers, tracesSamplerArg: ratio, metricIntervalMs } = config
  log.info({ endpoint, serviceName, sampler, ratio }, 'traces and metrics are sent to a collector')
  const version = readVersion()
  const options = { endpoint, headers, serviceName, version, sampler, ratio, metricIntervalMs }
  return openOtlp(options, { clock, log, registry: metrics.registry })
}
