import type { Attributes, SpanKind } from '../../../ports/tracer/tracer.ts'
import type { SpanPlace } from './span-place.ts'

export type EndedSpan = SpanPlace & {
  readonly name: string
  readonly kind: SpanKind
  readonly parentSpanId: string | undefined
  /** In milliseconds of the tracer, as is `endedAt`. */
  readonly startedAt: number
  readonly endedAt: number
  readonly links: readonly SpanPlace[]
  readonly attributes: Attributes
  /** The type of the error, if it failed. */
  readonly error: string | undefined
}

const kinds: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
}
const failed = 2

/** OTLP 1 as JSON: ids are hexadecimal, 64-bit numbers are strings (opentelemetry-proto, docs/specification.md). */
export const encodeSpans = (
  resource: Attributes,
  spans: readonly EndedSpan[],
  unixMs: (ms: number) => number,
) => ({
  resourceSpans: [
    {
      resource: { attributes: encodeAttributes(resource) },
      scopeSpans: [
        {
          scope: { name: 'millseal' },
          spans: spans.map(
            ({
              traceId,
              spanId,
              name,
              kind,
              parentSpanId,
              startedAt,
              endedAt,
              links,
              attributes,
              error,
            }) => ({
              traceId,
              spanId,
              name,
              kind: kinds[kind],
              parentSpanId,
              startTimeUnixNano: unixNano(unixMs(startedAt)),
              endTimeUnixNano: unixNano(unixMs(endedAt)),
              attributes: encodeAttributes(
                error === undefined ? attributes : { ...attributes, 'error.type': error },
              ),
              links: links.length === 0 ? undefined : links.map((link) => ({ ...link })),
              status: error === undefined ? undefined : { code: failed },
            }),
          ),
        },
      ],
    },
  ],
})

export const encodeAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )

const encodeValue = (value: string | number | boolean) => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** A number has room for the microseconds of this time, not for its nanoseconds. */
export const unixNano = (unixMs: number): string => `${Math.round(unixMs * 1_000)}000`
