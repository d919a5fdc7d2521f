/** Keeps a value under its key, at most so many; the one that was not kept or used for the longest makes room. */
export const remember = <Key, Value>(
  known: Map<Key, Value>,
  { key, value, atMost }: { readonly key: Key; readonly value: Value; readonly atMost: number },
): void => {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > atMost && oldest !== undefined) known.delete(oldest)
}
