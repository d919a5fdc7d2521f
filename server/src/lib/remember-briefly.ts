import { remember } from './remember.ts'

type Options = {
  readonly ms: number
  readonly atMost: number
  /** Milliseconds since any fixed time. */
  readonly now?: () => number
}

type Entry<Found> = { readonly value: Found; readonly until: number }

/**
 * Caches look-ups of values that rarely change. Calls at the same time share one look-up. Neither remembers nor shares that
 * nothing was found.
 */
export const rememberBriefly = <Key extends string, Found>(
  find: (key: Key) => Promise<Found>,
  { ms, atMost, now = () => performance.now() }: Options,
): ((key: Key) => Promise<Found>) => {
  const known = new Map<Key, Entry<Found>>()
  const asking = new Map<Key, Promise<Found>>()
  return async (key) => {
    const entry = known.get(key)
    if (entry !== undefined && now() < entry.until) return entry.value
    const running = asking.get(key)
    const shared = running === undefined ? undefined : await running
    if (shared !== undefined) return shared
    const until = now() + ms
    const asked = find(key)
    asking.set(key, asked)
    try {
      const value = await asked
      if (value !== undefined) remember(known, { key, value: { value, until }, atMost })
      return value
    } finally {
      if (asking.get(key) === asked) asking.delete(key)
    }
  }
}
