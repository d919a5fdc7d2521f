/** Stores a value in a bounded map. If the map is full, the entry stored longest ago is deleted. */
export const remember = <Key, Value>(
  known: Map<Key, Value>,
  { key, value, atMost }: { readonly key: Key; readonly value: Value; readonly atMost: number },
): void => {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > atMost && oldest !== undefined) known.delete(oldest)
}
