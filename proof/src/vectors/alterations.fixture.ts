import type { JsonValue } from '../json/read.ts'

export type Alteration = { readonly at: string; readonly bundle: JsonValue }

/**
 * The document with one leaf altered or removed, for every leaf, and with one item removed from or repeated in each list.
 * Texts change at the start, in the middle and at the end.
 */
export const alterationsOf = (document: JsonValue, inserted?: string): Alteration[] => {
  const found: Alteration[] = []
  const walk = (value: JsonValue, at: string, put: (other: JsonValue | undefined) => JsonValue): void => {
    const alter = (other: JsonValue | undefined): void => void found.push({ at, bundle: put(other) })
    if (Array.isArray(value)) {
      for (const [place, item] of value.entries())
        walk(item, `${at}/${place}`, (other) =>
          put(other === undefined ? value.toSpliced(place, 1) : value.with(place, other)),
        )
      if (value.length > 0 && inserted === undefined) alter([...value, ...value.slice(-1)])
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value))
        walk(item, `${at}/${name}`, (other) => {
          const { [name]: _removed, ...rest } = value
          return put(other === undefined ? rest : { ...value, [name]: other })
        })
    } else if (inserted !== undefined) {
      if (typeof value === 'string') alter(inserted + value)
    } else {
      for (const other of otherThan(value)) alter(other)
      alter(undefined)
    }
  }
  walk(document, '', (other) => other ?? null)
  return found
}

const otherThan = (value: null | boolean | number | string): JsonValue[] => {
  if (value === null) return ['', {}]
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value - 1, String(value)]
  const places = [...new Set([0, value.length >> 1, value.length - 1])].filter((place) => place >= 0)
  return [
    ...places.map(
      (place) => `${value.slice(0, place)}${value[place] === 'A' ? 'B' : 'A'}${value.slice(place + 1)}`,
    ),
    `${value} `,
    `${value}\n`,
  ]
}
