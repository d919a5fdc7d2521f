import type { JsonValue } from './read.ts'

/** The value at a path of names, and of places in lists. */
export const valueAt = (value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined => {
  let place = value
  for (const key of path)
    place =
      typeof place === 'object' && place !== null && Object.hasOwn(place, key)
        ? (place as { readonly [key: string]: JsonValue })[key]
        : undefined
  return place
}
