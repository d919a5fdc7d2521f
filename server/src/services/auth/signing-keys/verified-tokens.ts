import { createHash } from 'node:crypto'
import type { Secret } from '../../../lib/secret.ts'
import type { Clock } from '../../../ports/clock/clock.ts'

type Verified<T> = { readonly value: T; readonly untilMs: number }

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
      if (found.untilMs > clock.now()) return found.value
      verified.delete(key)
      return undefined
    },
    store(token: Secret, value: T, untilMs: number): void {
      const [oldest] = verified.keys()
      if (verified.size >= capacity && oldest !== undefined) verified.delete(oldest)
      verified.set(keyOf(token), { value, untilMs })
    },
  }
}

const keyOf = (token: Secret): string => createHash('sha256').update(token.reveal()).digest('base64')
