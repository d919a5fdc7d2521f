import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { VatAnswer, VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

export type CachedOptions = {
  readonly registry: VatRegistry
  readonly clock: Clock
  /** The maximum number of answers; the least recently used one is dropped. Default: 1,000. */
  readonly capacity?: number
}

const minuteMs = 60_000
const retentionMs: Readonly<Record<VatAnswer['status'], number>> = {
  registered: 24 * 60 * minuteMs,
  not_registered: 60 * minuteMs,
  // Short, but it keeps every caller from asking a register that is down.
  unknown: minuteMs,
}

/** Caches answers, and sends one request for simultaneous calls with the same number. */
export const createCachedVatRegistry = (options: CachedOptions): VatRegistry => {
  const { registry, clock, capacity = 1_000 } = options
  const cached = new Map<string, { readonly answer: VatAnswer; readonly since: number }>()
  const asking = new Map<string, Promise<VatAnswer>>()

  const find = (key: string): VatAnswer | undefined => {
    const found = cached.get(key)
    if (found === undefined) return undefined
    cached.delete(key)
    const age = clock.now() - found.since
    if (age < 0 || age >= retentionMs[found.answer.status]) return undefined
    cached.set(key, found)
    return found.answer
  }

  const store = (key: string, answer: VatAnswer): void => {
    // Answers that needed no request are not cached, and their numbers can be of any size.
    if (answer.status === 'unknown' && (answer.reason === 'not_covered' || answer.reason === 'offline'))
      return
    cached.set(key, { answer, since: clock.now() })
    const [oldest] = cached.keys()
    if (cached.size > capacity && oldest !== undefined) cached.delete(oldest)
  }

  const ask = async (key: string, vat: RegisterNumber): Promise<VatAnswer> => {
    // One of several callers may abort, so the request ends only by the deadline of the register.
    const answer = await registry.lookUp(vat, new AbortController().signal)
    store(key, answer)
    return answer
  }

  const askOnce = (key: string, vat: RegisterNumber): Promise<VatAnswer> => {
    const answering = ask(key, vat)
    asking.set(key, answering)
    const clear = (): boolean => asking.delete(key)
    answering.then(clear, clear)
    return answering
  }

  return {
    async lookUp(vat, signal) {
      signal.throwIfAborted()
      const key = `${vat.country} ${vat.number}`
      const known = find(key)
      if (known !== undefined) return known
      return unlessAborted(asking.get(key) ?? askOnce(key, vat), signal)
    },
  }
}

const unlessAborted = async (answering: Promise<VatAnswer>, signal: AbortSignal): Promise<VatAnswer> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([answering, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
