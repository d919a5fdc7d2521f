import type { SamplerName } from '../../../ports/tracer/samplers.ts'
import type { Caller } from './traceparent.ts'

export type Sampling = {
  readonly sampler: SamplerName
  /** The share of traces for `traceidratio`. */
  readonly ratio: number
}

export type Sampler = {
  /** The same in all processes, because the id of the trace decides. */
  ofTrace(traceId: string): boolean
  /** Of a request, whose caller may have decided. */
  ofCaller(caller: Caller): boolean
}

/** Of the 56 random bits, as many as a number has. */
const digits = 13
const range = 16 ** digits

const shares: Readonly<Record<string, number>> = { always_on: 1, always_off: 0 }

export const createSampler = ({ sampler, ratio }: Sampling): Sampler => {
  const share = shares[sampler.replace('parentbased_', '')] ?? ratio
  const ofTrace = (traceId: string): boolean =>
    share === 1 || Number.parseInt(traceId.slice(-digits), 16) >= (1 - share) * range
  return {
    ofTrace,
    ofCaller: ({ traceId, isSampled }) => (sampler.startsWith('parentbased_') ? isSampled : ofTrace(traceId)),
  }
}
