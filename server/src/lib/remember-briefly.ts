import { remember } from './remember.ts'

type Options = {
  readonly ms: number
  readonly atMost: number
  /** In milliseconds, from whatever beginning. */
  readonly now?: () => number
}

type Kept<Value> = { readonly value: Value; readonly until: number }

/** Looks up what hardly changes, and keeps what it found for a moment. That nothing was found is not kept. */
export const rememberBriefly = <Value>(
  find: (key: string) => Promise<Value | undefined>,
  { ms, atMost, now = () => performance.now() }: Options,
): ((key: string) => Promise<Value | undefined>) => {
  const known = new Map<string, Kept<Value>>()
  return async (key) => {
    const kept = known.get(key)
    if (kept !== undefined && now() < kept.until) return kept.value
    const askedAt = now()
    const value = await find(key)
    if (value !== undefined) remember(known, { key, value: { value, until: askedAt + ms }, atMost })
    return value
  }
}
