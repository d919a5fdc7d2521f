import { below, isList, isObject, type Json, textOf } from '../form/json.ts'

export type Difference = {
  readonly pointer: string
  /** Undefined if only the other certificate says it. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Longer ones are attached files, of which nobody compares the letters. */
const longest = 200

const shown = (value: Json | undefined): string | undefined => {
  if (value === undefined) return undefined
  const text = textOf(value)
  return text.length > longest ? `${text.slice(0, longest)} …` : text
}

const membersOf = (value: Json | undefined): readonly (readonly [string | number, Json])[] => {
  if (isList(value)) return [...value.entries()]
  return isObject(value) ? Object.entries(value) : []
}

/**
 * Every value that differs, by its place, in the order of the new certificate; what is gone comes last in its group. A number
 * with other digits differs: 26 is not 26.0 on paper. One element and a list of one say the same.
 */
export const differencesOf = (
  before: Json | undefined,
  after: Json | undefined,
  pointer = '',
): readonly Difference[] => {
  const isGroup = (value: Json | undefined): boolean => isList(value) || isObject(value)
  const own = (value: Json | undefined): Json | undefined => (isGroup(value) ? undefined : value)
  const [old, now] = [own(before), own(after)]
  const here = textOf(old) === textOf(now) ? [] : [{ pointer, before: shown(old), after: shown(now) }]
  if (!isGroup(before) && !isGroup(after)) return here
  const asList = isList(before) || isList(after)
  const inner = (value: Json | undefined) => new Map(membersOf(asList && isObject(value) ? [value] : value))
  const [olds, nows] = [inner(before), inner(after)]
  const names = new Set([...nows.keys(), ...olds.keys()])
  return [
    ...here,
    ...[...names].flatMap((name) => differencesOf(olds.get(name), nows.get(name), below(pointer, name))),
  ]
}
