import type { SpanPlace } from './span-place.ts'

export type Caller = SpanPlace & { readonly isSampled: boolean }

/** Of a later version than 00, only the known part counts (W3C Trace Context, Versioning of traceparent). */
const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Undefined for a header that is missing or invalid: a trace then begins here. */
export const readTraceparent = (header: string | undefined): Caller | undefined => {
  const [, version, traceId, spanId, flags = '', more] = pattern.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined))
    return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const writeTraceparent = ({ traceId, spanId }: SpanPlace, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
