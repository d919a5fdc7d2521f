import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { VatAnswer, VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

export type CachedOptions = {
  readonly registry: VatRegistry
  readonly clock: Clock
  /** The answer that nobody has asked for longest makes room; default 1,000 answers. */
  readonly capacity?: number
}

const minuteMs = 60_000
const keptMs: Readonly<Record<VatAnswer['status'], number>> = {
  registered: 24 * 60 * minuteMs,
  not_registered: 60 * minuteMs,
  // Short, but a register that is down is not asked by everybody who wonders.
  unknown: minuteMs,
}

type Kept = { readonly answer: VatAnswer; readonly since: number }

/** Remembers answers for a while, and asks once for all who want the same answer at the same time. */
export const createCachedVatRegistry = (options: CachedOptions): VatRegistry => {
  const { registry, clock, capacity = 1_000 } = options
  const kept = new Map<string, Kept>()
  const asking = new Map<string, Promise<VatAnswer>>()

  const recall = (key: string): VatAnswer | undefined => {
    const found = kept.get(key)
    if (found === undefined) return undefined
    kept.delete(key)
    const age = clock.now() - found.since
    if (age < 0 || age >= keptMs[found.answer.status]) return undefined
    kept.set(key, found)
    return found.answer
  }

  const keep = (key: string, answer: VatAnswer): void => {
    // Answers that cost nothing are not worth a place, and their questions may be of any size.
    if (answer.status === 'unknown' && (answer.reason === 'not_covered' || answer.reason === 'offline'))
      return
    kept.set(key, { answer, since: clock.now() })
    const [oldest] = kept.keys()
    if (kept.size > capacity && oldest !== undefined) kept.delete(oldest)
  }

  const ask = async (key: string, vat: RegisterNumber): Promise<VatAnswer> => {
    // Of many who wait one may leave: the question ends by the deadline of the register.
    const answer = await registry.lookUp(vat, new AbortController().signal)
    keep(key, answer)
    return answer
  }

  const askForAll = (key: string, vat: RegisterNumber): Promise<VatAnswer> => {
    const answering = ask(key, vat)
    asking.set(key, answering)
    const forget = (): boolean => asking.delete(key)
    answering.then(forget, forget)
    return answering
  }

  return {
    async lookUp(vat, signal) {
      signal.throwIfAborted()
      const key = `${vat.country} ${vat.number}`
      const remembered = recall(key)
      if (remembered !== undefined) return remembered
      return unlessAborted(asking.get(key) ?? askForAll(key, vat), signal)
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
