export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Ids, numbers and names from the code. Never a secret, and nothing that people or other services wrote. */
/** An attribute that is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A span that every process can refer to, because rows say which it is: `trace` is the id of one, a UUIDv7. */
export type KnownSpan = { readonly trace: string; readonly step: string }

export type NewSpan = {
  /** One of a few: names are counted and compared. */
  readonly name: string
  /** `internal` if missing. */
  readonly kind?: SpanKind
  /** If missing, the span in which this one is made. */
  readonly parent?: KnownSpan
  /** If missing, the trace of the parent and a random id. */
  readonly known?: KnownSpan
  /** As `now()` says; if missing, it starts now. */
  readonly startedAt?: number
  readonly attributes?: Attributes
}

export type Span = {
  /** The header that continues this trace at another service; undefined if there are no traces. */
  readonly traceparent: string | undefined
  set(attributes: Attributes): void
  /** Its type says what happened: a word, never a message. */
  fail(type: string): void
}

/** An answer to a request: it ends elsewhere than it begins. */
export type RequestSpan = {
  /** Spans that are made by this work are children of the request. */
  run(work: () => void): void
  end(about: {
    readonly name: string
    readonly attributes: Attributes
    readonly error: string | undefined
  }): void
}

/**
 * Reports what this process does, for people who look for time that was lost. Never waits, never throws an error of its own, and drops
 * spans rather than keep many of them.
 */
export interface Tracer extends AsyncDisposable {
  /** Milliseconds, for `startedAt`. */
  now(): number
  /** Runs the work as a span. If it fails, the span says so by the type of the error, and `known` is the next attempt. */
  run<Result>(span: NewSpan, work: (span: Span) => Promise<Result>): Promise<Result>
  /** A span that ends now: for work that was done for several at once. */
  add(span: NewSpan & { readonly startedAt: number }): void
  /** `traceparent` is the header of the caller. */
  beginRequest(traceparent: string | undefined): RequestSpan
}

const noSpan: Span = { traceparent: undefined, set: () => {}, fail: () => {} }

/** Unless the operator turns traces on. */
export const noTracer: Tracer = {
  now: () => 0,
  run: (_span, work) => work(noSpan),
  add: () => {},
  beginRequest: () => ({ run: (work) => work(), end: () => {} }),
  async [Symbol.asyncDispose]() {},
}
