import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '../../../lib/problem.ts'
import type { Attributes, NewSpan, Span, Tracer } from '../../../ports/tracer/tracer.ts'
import { type Active, beginRequest, type Parts } from './request-span.ts'
import { placeOf, randomHex, type SpanPlace } from './span-place.ts'
import { writeTraceparent } from './traceparent.ts'

export const createTracer = (parts: Parts): Omit<Tracer, typeof Symbol.asyncDispose> => {
  const { sampler, now, report } = parts
  const working = new AsyncLocalStorage<Active>()

  const positionOf = ({
    known,
    parent,
  }: NewSpan): {
    readonly own: SpanPlace
    readonly parentSpanId: string | undefined
    readonly links: readonly SpanPlace[]
    readonly isSampled: boolean
  } => {
    const active = parent === undefined ? working.getStore() : undefined
    const place = known && placeOf(known)
    if (place !== undefined) active?.join(place.traceId)
    const above = parent === undefined ? active?.place() : placeOf(parent)
    const own = place ?? { traceId: above?.traceId ?? randomHex(16), spanId: randomHex(8) }
    const isChild = above?.traceId === own.traceId
    if (!isChild) active?.link(own)
    return {
      own,
      parentSpanId: isChild ? above.spanId : undefined,
      links: above === undefined || isChild ? [] : [above],
      isSampled: isChild && active !== undefined ? active.isSampled() : sampler.ofTrace(own.traceId),
    }
  }

  return {
    now,
    beginRequest: (traceparent) => beginRequest(parts, working, traceparent),
    add({ name, kind = 'internal', startedAt, attributes = {}, ...where }) {
      const { own, isSampled, ...position } = positionOf({ name, ...where })
      if (isSampled)
        report({ ...own, ...position, name, kind, startedAt, endedAt: now(), attributes, error: undefined })
    },
    async run(about, work) {
      const { name, kind = 'internal', startedAt = now() } = about
      const { own, isSampled, ...position } = positionOf(about)
      const { span, ended } = openSpan(writeTraceparent(own, isSampled), about.attributes)
      const active = { place: () => own, isSampled: () => isSampled, link: () => {}, join: () => {} }
      try {
        return await working.run(active, () => work(span))
      } catch (thrown) {
        span.fail(typeOf(thrown))
        throw thrown
      } finally {
        const { error, attributes } = ended()
        // The id that others know is that of the attempt that succeeds.
        const spanId = error === undefined || about.known === undefined ? own.spanId : randomHex(8)
        if (isSampled)
          report({ ...own, spanId, ...position, name, kind, startedAt, endedAt: now(), attributes, error })
      }
    },
  }
}

const openSpan = (traceparent: string, given: Attributes = {}) => {
  let attributes = given
  let error: string | undefined
  const span: Span = {
    traceparent,
    set(more) {
      attributes = { ...attributes, ...more }
    },
    fail(type) {
      error = type
    },
  }
  return { span, ended: () => ({ attributes, error }) }
}

/** Never the message, which may repeat what somebody sent. */
const typeOf = (error: unknown): string => {
  if (error instanceof Problem) return error.code
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return /^\w{1,64}$/.test(code) ? code : 'Error'
}
