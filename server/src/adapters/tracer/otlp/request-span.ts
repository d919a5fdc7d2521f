import type { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestSpan } from '../../../ports/tracer/tracer.ts'
import type { EndedSpan } from './encode-spans.ts'
import type { Sampler } from './sampler.ts'
import { randomHex, type SpanPlace } from './span-place.ts'
import { readTraceparent } from './traceparent.ts'

/** The span in which this process is working. */
export type Active = {
  place(): SpanPlace
  isSampled(): boolean
  /** If a span of another trace is caused by this one, both name each other. */
  link(other: SpanPlace): void
  /** Joins the trace if it is in none yet. */
  join(traceId: string): void
}

export type Parts = {
  readonly sampler: Sampler
  readonly now: () => number
  /** Takes a span, or drops it. */
  readonly report: (span: EndedSpan) => void
}

/** One request can cause any number of events. The default of OpenTelemetry. */
const mostLinks = 128

/** Its trace is that of the caller, otherwise that of what it causes, and known when it ends. */
export const beginRequest = (
  { sampler, now, report }: Parts,
  working: AsyncLocalStorage<Active>,
  traceparent: string | undefined,
): RequestSpan => {
  const caller = readTraceparent(traceparent)
  const startedAt = now()
  const spanId = randomHex(8)
  const links: SpanPlace[] = []
  let traceId = caller?.traceId
  const place = (): SpanPlace => ({ traceId: (traceId ??= randomHex(16)), spanId })
  const isSampled = (): boolean =>
    caller === undefined ? sampler.ofTrace(place().traceId) : sampler.ofCaller(caller)
  const active: Active = {
    place,
    isSampled,
    link(other) {
      if (links.length < mostLinks) links.push(other)
    },
    join(id) {
      traceId ??= id
    },
  }
  return {
    run: (work) => working.run(active, work),
    end(about) {
      if (!isSampled()) return
      const parentSpanId = caller?.spanId
      report({ ...place(), ...about, kind: 'server', parentSpanId, startedAt, endedAt: now(), links })
    },
  }
}
