import { useCallback, useSyncExternalStore } from 'react'
import { isList, isObject, type Json, parentOf, partsOf, valueAt, withValue } from './json.ts'

type Listener = () => void

/** An unfinished certificate. Each field listens to its own place, so that a key draws one field. */
export type Store = {
  readonly root: () => Json
  readonly at: (pointer: string) => Json | undefined
  readonly set: (pointer: string, value: Json | undefined) => void
  /** Reports all changes of a function together, after it has ended. */
  readonly batch: (change: () => void) => void
  readonly subscribe: (pointer: string, listener: Listener) => Listener
  /** The number of changes so far. */
  readonly revision: () => number
}

export const createStore = (initial: Json): Store => {
  let root = initial
  let revision = 0
  const listeners = new Map<string, Set<Listener>>()

  /** All places around a change are notified; those below only if it had, or has, more than one value. */
  const touchedBy = (pointer: string, wide: boolean): readonly string[] => {
    const above: string[] = []
    for (let at = pointer; at !== ''; at = parentOf(at)) above.push(at)
    const inside = wide ? [...listeners.keys()].filter((known) => known.startsWith(`${pointer}/`)) : []
    return ['', ...above, ...inside]
  }

  const pending = new Set<string>()
  let isBatch = false
  const tell = (): void => {
    const all = [...pending]
    pending.clear()
    if (all.length > 0) revision += 1
    const heard = new Set(all.flatMap((each) => [...(listeners.get(each) ?? [])]))
    for (const listener of heard) listener()
  }

  const set: Store['set'] = (pointer, value) => {
    const before = valueAt(root, pointer)
    if (before === value) return
    root = withValue(root, partsOf(pointer), value) ?? {}
    const isElement = /\/\d+$/.test(pointer)
    const wide = typeof before === 'object' || typeof value === 'object' || isElement
    // Removing a row moves those behind it.
    for (const each of touchedBy(value === undefined && isElement ? parentOf(pointer) : pointer, wide))
      pending.add(each)
    if (!isBatch) tell()
  }

  return {
    root: () => root,
    at: (pointer) => valueAt(root, pointer),
    set,
    batch(change) {
      isBatch = true
      try {
        change()
      } finally {
        isBatch = false
        tell()
      }
    },
    subscribe(pointer, listener) {
      const known = listeners.get(pointer) ?? new Set()
      listeners.set(pointer, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0) listeners.delete(pointer)
      }
    },
    revision: () => revision,
  }
}

/** A value of a place for its field, which is drawn again only if that changes. `pick` must be deterministic. */
export const usePicked = <Picked>(
  store: Store,
  pointer: string,
  pick: (value: Json | undefined) => Picked,
): Picked =>
  useSyncExternalStore(
    useCallback((listener: Listener) => store.subscribe(pointer, listener), [store, pointer]),
    () => pick(store.at(pointer)),
  )

export const useValue = (store: Store, pointer: string): Json | undefined =>
  usePicked(store, pointer, (value) => value)

/** The facts that decide which fields a group has: its names, and texts that other fields may depend on. */
const outlineOf = (value: Json | undefined): string => {
  if (isList(value)) return `[${value.length}${value.map(kindOf).join('')}`
  if (!isObject(value)) return kindOf(value)
  return Object.entries(value)
    .map(([name, each]) => `${name}${kindOf(each)}`)
    .join()
}

const kindOf = (value: Json | undefined): string => {
  if (isList(value)) return ':l'
  if (isObject(value)) return ':o'
  return value === undefined ? ':-' : ''
}

/** Draws a group again when a name comes or goes or a deciding value changes, but not for every key. */
export const useOutline = (store: Store, pointer: string, deciding: readonly string[] = []): void => {
  usePicked(store, pointer, (value) => {
    const decided = isObject(value) ? deciding.map((name) => JSON.stringify(value[name])) : []
    return `${outlineOf(value)}|${decided.join()}`
  })
}
