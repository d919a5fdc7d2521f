import { createHash } from 'node:crypto'
import type { Stamped } from '@millseal/proof'
import type { Clock } from '../../ports/clock/clock.ts'
import type { StampAuthority } from '../../ports/stamp-authority/stamp-authority.ts'

export type SoonStamped = { readonly token: Uint8Array; readonly stamped: Stamped }

/** The first answer of an authority, of all that are asked at once. Undefined if there is none: `onLack` gets the reasons. */
export type StampSoon = (
  signature: Uint8Array,
  mostBytes: number,
  signal: AbortSignal,
) => Promise<SoonStamped | undefined>

/** An authority that does not answer is not asked again for this long: many PDFs would wait for it one after the other. */
const restMs = 10_000

export const createStampSoon = (
  authorities: readonly StampAuthority[],
  { clock, onLack }: { readonly clock: Clock; readonly onLack: (why: string) => void },
): StampSoon => {
  const restingUntil = new Map<string, number>()
  const ask = async (
    authority: StampAuthority,
    sha256: Uint8Array,
    signal: AbortSignal,
    mostBytes: number,
  ) => {
    const { name } = authority
    if (clock.steady() < (restingUntil.get(name) ?? 0)) throw new Error(`${name} did not answer before`)
    const answer = await authority.stamp(sha256, signal)
    if (answer.kind === 'unavailable') {
      if (!signal.aborted) restingUntil.set(name, clock.steady() + restMs)
      throw new Error(`${name}: ${answer.why}`)
    }
    if (answer.token.length > mostBytes)
      throw new Error(
        `${name}: its time stamp has ${answer.token.length} bytes, and there is room for ${mostBytes}`,
      )
    return answer
  }
  return async (signature, mostBytes, signal) => {
    if (authorities.length === 0) return undefined
    const sha256 = createHash('sha256').update(signature).digest()
    const answered = new AbortController()
    const until = AbortSignal.any([signal, answered.signal])
    try {
      return await Promise.any(authorities.map((one) => ask(one, sha256, until, mostBytes)))
    } catch (error) {
      signal.throwIfAborted()
      onLack(error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error))
      return undefined
    } finally {
      answered.abort()
    }
  }
}
