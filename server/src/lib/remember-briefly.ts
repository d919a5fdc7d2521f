import { remember } from './remember.ts'

type Options = {
  readonly ms: number
  readonly atMost: number
  /** Milliseconds since any fixed time. */
  readonly now?: () => number
}

type Entry<Value> = { readonly value: Value; readonly until: number }

/** Caches look-ups of values that rarely change. Does not cache that nothing was found. */
export const rememberBriefly = <Value>(
  find: (key: string) => Promise<Value | undefined>,
  { ms, atMost, now = () => performance.now() }: Options,
): ((key: string) => Promise<Value | undefined>) => {
  const known = new Map<string, Entry<Value>>()
  return async (key) => {
    const entry = known.get(key)
    if (entry !== undefined && now() < entry.until) return entry.value
    const askedAt = now()
    const value = await find(key)
    if (value !== undefined) remember(known, { key, value: { value, until: askedAt + ms }, atMost })
    return value
  }
}
