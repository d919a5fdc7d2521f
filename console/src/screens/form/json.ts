export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json }

/** A number whose digits JavaScript would drop, as the form stores it: `26.0`. */
const digits = '$digits'

const isExact = (value: object): value is { readonly [digits]: string } => Object.hasOwn(value, digits)

/** A number with all its digits. */
export const numberOf = (plain: string): Json =>
  String(Number(plain)) === plain ? Number(plain) : { [digits]: plain }

export const isNumber = (value: Json | undefined): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && isExact(value))

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value)

/** The text of a certificate with all digits. Quotes inside texts are escaped, so that no text looks like a number. */
export const writeJson = (value: Json): string =>
  JSON.stringify(value).replaceAll(/\{"\$digits":"([^"]*)"\}/g, '$1')

/** Reads a certificate with all digits of its numbers. */
export const readJson = (text: string): Json =>
  JSON.parse(
    text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (found) =>
      found.startsWith('"') ? found : JSON.stringify(numberOf(found)),
    ),
  ) as Json

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** JSON pointers, as in findings of the server. */
export const partsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

export const below = (pointer: string, ...names: readonly (string | number)[]): string =>
  names.reduce<string>(
    (path, name) => `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  )

export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))

export const nameOf = (pointer: string): string => partsOf(pointer).at(-1) ?? ''

/** A pointer with `*` for the positions in lists, as in the description of a form. */
export const isPosition = (part: string): boolean => /^\d+$/.test(part)

const memberOf = (value: Json | undefined, name: string): Json | undefined => {
  if (isList(value)) return value[Number(name)]
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export const valueAt = (root: Json | undefined, pointer: string): Json | undefined =>
  partsOf(pointer).reduce<Json | undefined>(memberOf, root)

/**
 * A copy with another value at a place. Missing groups and lists around it are created; `undefined` removes a member.
 */
export const withValue = (
  root: Json | undefined,
  [name, ...rest]: readonly string[],
  value: Json | undefined,
): Json | undefined => {
  if (name === undefined) return value
  const inner = withValue(memberOf(root, name), rest, value)
  if (isList(root) || (isPosition(name) && !isObject(root)))
    return withElement(root ?? [], Number(name), inner)
  const group = isObject(root) ? root : {}
  if (inner !== undefined) return { ...group, [name]: inner }
  const { [name]: _gone, ...others } = group
  return others
}

const withElement = (list: Json, at: number, value: Json | undefined): readonly Json[] => {
  const known = isList(list) ? list : []
  const copy: Json[] = Array.from(
    { length: Math.max(known.length, at + 1) },
    (_, index) => known[index] ?? {},
  )
  if (value === undefined) return copy.toSpliced(at, 1)
  return copy.with(at, value)
}

/** Removes empty groups and lists, which a form has for everything that nobody filled in. */
export const withoutEmpty = (value: Json): Json | undefined => {
  if (isList(value)) {
    // An empty text in a list is a line without content.
    const kept = value.flatMap((each): readonly Json[] => {
      const inner = withoutEmpty(each)
      return inner === undefined || inner === '' ? [] : [inner]
    })
    return kept.length === 0 ? undefined : kept
  }
  if (!isObject(value)) return value
  const kept = Object.entries(value).flatMap(([name, each]) => {
    const inner = withoutEmpty(each)
    return inner === undefined ? [] : [[name, inner] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Every text, number and truth value with its pointer. */
export const leavesOf = (value: Json, pointer = ''): readonly (readonly [string, Json])[] => {
  if (isList(value)) return value.flatMap((each, at) => leavesOf(each, below(pointer, at)))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, below(pointer, name)))
  return [[pointer, value]]
}

/** A text, number or truth value as text; nothing for lists and groups. */
export const textOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  return isExact(value) ? value[digits] : ''
}

/** The text to send, without empty members. */
export const certificateOf = (root: Json): string => writeJson(withoutEmpty(root) ?? {})
