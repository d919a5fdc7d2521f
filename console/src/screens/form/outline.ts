import type { CertificateForm } from '@millseal/contract'
import { codecOf } from './codec.ts'
import { below, isObject, type Json, partsOf, withoutEmpty } from './json.ts'
import { type ObjectShape, type Schema, type Schemas, schemasAt, shapeOf } from './schema.ts'
import { specsOf } from './tables.ts'

/** The fields of a group as a tree, in the order of the paper. A place without children means all below it. */
export type Place = { readonly children: ReadonlyMap<string, Place> }

const whole: Place = { children: new Map() }

type Growing = { readonly children: Map<string, Growing> }

export const placesOf = (fields: CertificateForm['groups'][number]['fields']): Place => {
  const top: Growing = { children: new Map() }
  for (const field of fields) {
    let at = top
    for (const part of partsOf(field)) {
      const next: Growing = at.children.get(part) ?? { children: new Map() }
      at.children.set(part, next)
      at = next
    }
  }
  return top
}

export const isWhole = ({ children }: Place): boolean => children.size === 0

export const childOf = (place: Place, name: string): Place => place.children.get(name) ?? whole

/** Paper is read for the values of tests. */
const isTest = (root: Schema, schemas: Schemas): boolean => {
  const shape = shapeOf(root, schemas)
  if (shape.kind === 'list') {
    const [own, ...nested] = specsOf(root, shape.items) ?? []
    return (
      own?.hasActual === true ||
      nested.some(({ coded, measured }) => coded !== undefined || measured.length > 0)
    )
  }
  if (shape.kind !== 'object') return false
  return [...shape.required].some((name) => {
    const part = shapeOf(root, schemasAt(shape, name))
    return part.kind === 'list' && specsOf(root, part.items)?.[0]?.hasActual === true
  })
}

const testsFromTheStart = 2
const maxDepth = 5

/**
 * Pointers of the first parts with test values. A form has them from the start, although the schema does not demand
 * them.
 */
export const usualTests = (root: Schema, groups: CertificateForm['groups']): ReadonlySet<string> => {
  const found: string[] = []
  const visit = (place: Place, schemas: Schemas, pointer: string, depth: number): void => {
    const shape = shapeOf(root, schemas, {})
    if (shape.kind !== 'object' || depth > maxDepth) return
    const names = isWhole(place) ? [...shape.properties.keys()] : [...place.children.keys()]
    for (const name of names) {
      const inner = schemasAt(shape, name)
      const at = below(pointer, name)
      if (inner.length === 0 || codecOf(root, inner) !== undefined) continue
      if (isTest(root, inner)) found.push(at)
      else visit(childOf(place, name), inner, at, depth + 1)
    }
  }
  for (const { fields } of groups) visit(placesOf(fields), [root], '', 0)
  return new Set([...new Set(found)].slice(0, testsFromTheStart))
}

export type Part = { readonly name: string; readonly schemas: Schemas; readonly isRequired: boolean }
export type Parts = { readonly shown: readonly Part[]; readonly hidden: readonly Part[] }

type Asked = {
  readonly shape: ObjectShape
  readonly place: Place
  readonly pointer: string
  readonly value: Json | undefined
  /** The parts of a group that somebody added. */
  readonly addedTo: (pointer: string) => readonly string[]
  readonly root: Schema
  readonly given: ReadonlySet<string>
  /** Parts that a form has from the start. */
  readonly usual: ReadonlySet<string>
}

/** The parts of a group to draw, and those that can be added. */
export const partsOfGroup = (asked: Asked): Parts => {
  const { shape, place, pointer, value, addedTo, given, usual } = asked
  const added = addedTo(pointer)
  const names = isWhole(place)
    ? [...shape.properties.keys()]
    : [...place.children.keys()].filter((name) => shape.properties.has(name))
  const parts = names
    .filter((name) => !given.has(below(pointer, name)))
    .map((name) => ({ name, schemas: schemasAt(shape, name), isRequired: shape.required.has(name) }))
  const isShown = (part: Part): boolean => {
    const at = below(pointer, part.name)
    return (
      added.includes(part.name) ||
      (part.isRequired && hasShown(asked, part)) ||
      (isObject(value) &&
        value[part.name] !== undefined &&
        withoutEmpty(value[part.name] ?? {}) !== undefined &&
        hasShown(asked, part)) ||
      isOnTheWay(place, part.name) ||
      [...usual].some((each) => each === at || each.startsWith(`${at}/`))
    )
  }
  return { shown: parts.filter(isShown), hidden: parts.filter((part) => !isShown(part)) }
}

/** True if this section draws anything of a part whose rest is in other sections. */
const hasShown = (asked: Asked, { name, schemas }: Part): boolean => {
  const place = childOf(asked.place, name)
  if (isWhole(place)) return true
  const value = isObject(asked.value) ? asked.value[name] : undefined
  const shape = shapeOf(asked.root, schemas, value)
  if (shape.kind !== 'object') return true
  return partsOfGroup({ ...asked, shape, place, value, pointer: below(asked.pointer, name) }).shown.length > 0
}

/** A group that only contains the parts of a section. */
const isOnTheWay = (place: Place, name: string): boolean => {
  const { children } = childOf(place, name)
  return place.children.size === 1 && children.size === 1 && !children.has('*')
}
