import { createHash } from 'node:crypto'
import type { Secret } from '../../../lib/secret.ts'
import type { Clock } from '../../../ports/clock/clock.ts'

/** When a token is valid, by its claims. */
type Validity = { readonly fromMs: number; readonly untilMs: number }
type Verified<T> = Validity & { readonly value: T }

/**
 * A cache of verified signatures, by the hash of the token: checking one takes longer than all the rest of a call.
 * Whether a token was revoked is still looked up at every call.
 */
export const createVerifiedTokens = <T>({ clock, capacity = 5_000 }: { clock: Clock; capacity?: number }) => {
  const verified = new Map<string, Verified<T>>()
  return {
    find(token: Secret): T | undefined {
      const key = keyOf(token)
      const found = verified.get(key)
      if (found === undefined) return undefined
      const nowMs = clock.now()
      if (found.fromMs <= nowMs && nowMs < found.untilMs) return found.value
      verified.delete(key)
      return undefined
    },
    store(token: Secret, value: T, validity: Validity): void {
      const [oldest] = verified.keys()
      if (verified.size >= capacity && oldest !== undefined) verified.delete(oldest)
      verified.set(keyOf(token), { value, ...validity })
    },
  }
}

const keyOf = (token: Secret): string => createHash('sha256').update(token.reveal()).digest('base64')
