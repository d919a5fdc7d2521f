import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'
import { at, listAt, textAt } from '../certificate/shown.ts'
import { alternatives, describedBy, schemasOf } from '../families/generic/schema-lookup.ts'
import { compilePattern } from '../registry/linear-pattern.ts'
import { escapePointer } from '../registry/sub-schemas.ts'
import { placeOf } from './place-labels.ts'

/** A certificate with every field of a schema, whose texts are marks that can be found again on paper. */
export type MarkedCertificate = {
  readonly json: JsonObject
  /**
   * The pointers of its values in the order of the schema; a mark is the index. `*` stands for an element of an array or a
   * name that a pattern allows.
   */
  readonly leaves: readonly string[]
  /** The places of all properties, with the title that the schema gives them. */
  readonly places: ReadonlyMap<string, string | undefined>
}

const maxDepth = 14
const maxLeaves = 2_000
const maxTitleLength = 48

const markOf = (index: number): string => `⟦${index}⟧`

export const marksIn = (text: string): readonly number[] =>
  [...text.matchAll(/⟦(\d+)⟧/g)].map(([, index]) => Number(index))

type Walk = {
  readonly root: JsonObject
  readonly leaves: string[]
  readonly places: Map<string, string | undefined>
}

type Place = {
  readonly schemas: readonly JsonObject[]
  readonly pointer: string
  /** The groups of properties around it, so that a schema that contains itself ends. */
  readonly around: readonly unknown[]
}

export const markSchema = (schema: JsonObject): MarkedCertificate => {
  const walk: Walk = { root: schema, leaves: [], places: new Map() }
  const json = fill(walk, { schemas: [schema], pointer: '', around: [] })
  return { json: isObject(json) ? json : {}, leaves: walk.leaves, places: walk.places }
}

const fill = (walk: Walk, place: Place): JsonValue => {
  const { root, leaves } = walk
  if (leaves.length >= maxLeaves) return ''
  const all = place.schemas.flatMap((schema) => alternatives(root, schema))
  const items = schemasOf(root, place.schemas, undefined)
  if (items.length > 0) return [fill(walk, { ...place, schemas: items, pointer: `${place.pointer}/*` })]
  const groups = all.flatMap((schema) => [schema['properties'], schema['patternProperties']].filter(isObject))
  if (groups.length === 0) return valueOf(walk, place, all)
  const known = leaves.length
  const isEndless = place.around.length > maxDepth || groups.some((group) => place.around.includes(group))
  const members = isEndless ? [] : membersOf(walk, { ...place, around: [...place.around, ...groups] }, all)
  if (leaves.length === known) leaves.push(place.pointer)
  return Object.fromEntries(members)
}

const membersOf = (
  walk: Walk,
  { schemas, pointer, around }: Place,
  all: readonly JsonObject[],
): readonly (readonly [string, JsonValue])[] => {
  const { root, places } = walk
  const named = [...new Set(all.flatMap((schema) => Object.keys(at(schema, 'properties') ?? {})))]
  const member = (name: string, part: string): readonly [string, JsonValue] => {
    const inner = schemasOf(root, schemas, name)
    return [name, fill(walk, { schemas: inner, pointer: `${pointer}/${part}`, around })]
  }
  return [
    ...named.map((name) => {
      const { title } = describedBy(root, schemasOf(root, schemas, name))
      const short = title !== undefined && title.length <= maxTitleLength ? title : undefined
      const known = placeOf([...pointer.split('/').slice(1), name])
      places.set(known, places.get(known) ?? short)
      return member(name, escapePointer(name))
    }),
    ...freeNames(all, named).map((name) => member(name, '*')),
  ]
}

/** One name that the patterns of a group allow. Those of the families allow codes such as C71. */
const freeNames = (all: readonly JsonObject[], named: readonly string[]): readonly string[] => {
  const patterns = all
    .flatMap((schema) => Object.keys(at(schema, 'patternProperties') ?? {}))
    .map((pattern) => compilePattern(pattern))
  const fitting = codes.find((code) => !named.includes(code) && patterns.some((one) => one.test(code)))
  return fitting === undefined ? [] : [fitting]
}

const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) =>
  Array.from({ length: 120 }, (_, number) => `${letter}${String(number).padStart(2, '0')}`),
)

/** Choices and booleans keep a value that the family understands. */
const valueOf = ({ leaves }: Walk, { pointer }: Place, all: readonly JsonObject[]): JsonValue => {
  leaves.push(pointer)
  const [fixed] = all.flatMap((schema) => schema['const'] ?? listAt(schema, 'enum'))
  if (fixed !== undefined) return fixed
  return all.some((schema) => textAt(schema, 'type') === 'boolean') || markOf(leaves.length - 1)
}
