import { createHash } from 'node:crypto'
import type { Secret } from '../../../lib/secret.ts'
import type { Clock } from '../../../ports/clock/clock.ts'

type Remembered<T> = { readonly value: T; readonly untilMs: number }

/**
 * Signatures that were found good, by the hash of their token: checking one takes longer than all the rest of a call.
 * Only the signature is remembered. Whether a token still counts is asked of its record at every call.
 */
export const createVerifiedTokens = <T>({ clock, capacity = 5_000 }: { clock: Clock; capacity?: number }) => {
  const remembered = new Map<string, Remembered<T>>()
  return {
    find(token: Secret): T | undefined {
      const key = keyOf(token)
      const found = remembered.get(key)
      if (found === undefined) return undefined
      if (found.untilMs > clock.now()) return found.value
      remembered.delete(key)
      return undefined
    },
    remember(token: Secret, value: T, untilMs: number): void {
      const [oldest] = remembered.keys()
      if (remembered.size >= capacity && oldest !== undefined) remembered.delete(oldest)
      remembered.set(keyOf(token), { value, untilMs })
    },
  }
}

const keyOf = (token: Secret): string => createHash('sha256').update(token.reveal()).digest('base64')
