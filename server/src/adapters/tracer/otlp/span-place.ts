import { hash, randomBytes } from 'node:crypto'
import type { KnownSpan } from '../../../ports/tracer/tracer.ts'

/** As W3C Trace Context writes it: 32 and 16 hexadecimal digits. */
export type SpanPlace = { readonly traceId: string; readonly spanId: string }

/** The last 56 bits of a UUIDv7 are random, as those of a trace should be (W3C Trace Context Level 2, random-trace-id). */
export const placeOf = ({ trace, step }: KnownSpan): SpanPlace => ({
  traceId: trace.replaceAll('-', ''),
  spanId: hash('sha256', `${step} ${trace}`, 'hex').slice(0, 16),
})

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
