import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { startLoop } from '../../../lib/loop.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Tracer } from '../../../ports/tracer/tracer.ts'
import { encodeMetrics } from './encode-metrics.ts'
import { encodeSpans } from './encode-spans.ts'
import { createSampler, type Sampling } from './sampler.ts'
import { createSender, type Target } from './sender.ts'
import { createSpanQueue } from './span-queue.ts'
import { createTracer } from './tracer.ts'

export type OtlpOptions = Target &
  Sampling & {
    readonly serviceName: string
    readonly version: string
    readonly metricIntervalMs: number
  }

/** A collector that is away would otherwise fill the log. */
const repeatLogMs = 60_000
/** NTP corrects the clock of the machine little by little. */
const driftMs = 20

/** Sends spans and metrics to a collector, by OTLP over HTTP. */
export const openOtlp = (
  options: OtlpOptions,
  { clock, log, registry }: { readonly clock: Clock; readonly log: Logger; readonly registry: Registry },
): Tracer => {
  const resource = resourceOf(options)
  const sender = createSender(options)
  const unixMs = createTimeline(clock)
  const warn = createWarning(log)
  const spans = new Counter({
    name: 'millseal_otlp_spans_total',
    help: 'Spans of traces, by what became of them: sent or dropped',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const queue = createSpanQueue({
    send: (batch, abort) => sender.send('traces', encodeSpans(resource, batch, unixMs()), abort),
    onSent: (count) => spans.inc({ outcome: 'sent' }, count),
    onDropped: (count, reason) => {
      spans.inc({ outcome: 'dropped' }, count)
      warn(reason)
    },
    log,
  })
  const stopping = new AbortController()
  const sinceUnixMs = clock.now()
  const sendMetrics = async (): Promise<boolean> => {
    const metrics = await registry.getMetricsAsJSON()
    const body = encodeMetrics(resource, { metrics, sinceUnixMs, atUnixMs: clock.now() })
    const sent = await sender.send('metrics', body, stopping.signal)
    if (sent.kind !== 'accepted' && !stopping.signal.aborted) warn(sent.reason)
    return false
  }
  const measuring = startLoop({
    name: 'exporting metrics',
    pass: sendMetrics,
    idleMs: options.metricIntervalMs,
    log,
  })
  return {
    ...createTracer({
      sampler: createSampler(options),
      now: () => performance.now(),
      report: queue.add,
    }),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all([queue[Symbol.asyncDispose](), measuring[Symbol.asyncDispose]()])
      await sender[Symbol.asyncDispose]()
    },
  }
}

/** Names of the semantic conventions. */
const resourceOf = ({ serviceName, version }: OtlpOptions) => ({
  'service.name': serviceName,
  'service.version': version,
  'service.instance.id': randomUUID(),
  'host.name': hostname(),
  'process.pid': process.pid,
})

/** Durations come from a clock that never jumps; only its beginning follows the clock of the machine. */
const createTimeline = (clock: Clock): (() => (ms: number) => number) => {
  let startUnixMs = clock.now() - performance.now()
  return () => {
    const now = clock.now() - performance.now()
    if (Math.abs(now - startUnixMs) > driftMs) startUnixMs = now
    const start = startUnixMs
    return (ms) => start + ms
  }
}

const createWarning = (log: Logger): ((reason: string) => void) => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (reason) => {
    if (performance.now() - loggedAt < repeatLogMs) return
    loggedAt = performance.now()
    log.warn({ reason }, 'the collector of traces and metrics does not take them')
  }
}
