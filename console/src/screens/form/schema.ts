import { isList, isNumber, isObject, type Json, type JsonObject, textOf, withoutEmpty } from './json.ts'

export type Schema = JsonObject
/** Schemas that apply to the same place. */
export type Schemas = readonly Schema[]

export type ObjectShape = {
  readonly kind: 'object'
  readonly properties: ReadonlyMap<string, Schemas>
  readonly required: ReadonlySet<string>
  /** Patterns for further names, with the schemas of their values. */
  readonly patterns: readonly { readonly allows: RegExp; readonly schemas: Schemas }[]
  /** The possible values of a property that decides which others there are. */
  readonly choices: ReadonlyMap<string, readonly Json[]>
}

export type Shape =
  | ObjectShape
  | { readonly kind: 'list'; readonly items: Schemas; readonly min: number; readonly max: number }
  | { readonly kind: 'text'; readonly format: string | undefined; readonly isImage: boolean }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'choice'; readonly values: readonly Json[] }
  | { readonly kind: 'boolean' }

const maxHops = 60

const resolve = (root: Schema, reference: string): Json | undefined =>
  reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((at, part) => (isObject(at) ? at[part] : undefined), root)

type Flat = { readonly plain: Schema[]; readonly groups: Schema[][] }

/** Follows references and `allOf`; alternatives stay apart. */
const flatten = (root: Schema, schemas: Schemas): Flat => {
  const flat: Flat = { plain: [], groups: [] }
  const seen = new Set<Schema>()
  const visit = (schema: Json | undefined): void => {
    if (!isObject(schema) || seen.has(schema) || seen.size > maxHops) return
    seen.add(schema)
    flat.plain.push(schema)
    if (typeof schema['$ref'] === 'string') visit(resolve(root, schema['$ref']))
    if (isList(schema['allOf'])) for (const each of schema['allOf']) visit(each)
    for (const key of ['oneOf', 'anyOf']) {
      const group = schema[key]
      if (isList(group)) flat.groups.push(group.filter(isObject))
    }
  }
  for (const schema of schemas) visit(schema)
  return flat
}

const typesOf = (root: Schema, schema: Schema): readonly string[] => {
  const { plain, groups } = flatten(root, [schema])
  const named = plain.flatMap(({ type }) => namesIn(type))
  if (named.length > 0) return named.map((type) => (type === 'integer' ? 'number' : type))
  if (plain.some((each) => 'properties' in each || 'required' in each || 'not' in each)) return ['object']
  if (plain.some((each) => 'items' in each)) return ['array']
  if (plain.some((each) => 'enum' in each || 'const' in each)) return ['string']
  return groups.flatMap((group) => group.flatMap((each) => typesOf(root, each)))
}

const namesIn = (type: Json | undefined): readonly string[] => {
  if (isList(type)) return type.map(String)
  return typeof type === 'string' ? [type] : []
}

const typeOf = (value: Json): string => {
  if (isList(value)) return 'array'
  if (isNumber(value)) return 'number'
  return value === null ? 'null' : typeof value
}

const fixedIn = (schema: Json | undefined): readonly Json[] => {
  if (!isObject(schema)) return []
  if (schema['const'] !== undefined) return [schema['const']]
  return isList(schema['enum']) ? schema['enum'] : []
}

/** The type a form begins with: a list takes more than one value, and a text is easier than a group. */
const beginWith = (types: readonly string[]): string | undefined =>
  ['array', 'string', 'number', 'boolean', 'object'].find(
    (type) => types.includes(type) && (type !== 'array' || !types.includes('number')),
  )

/** The alternative that a value follows, or the first one for an empty form. */
const choose = (root: Schema, group: readonly Schema[], value: Json | undefined): Schema | undefined => {
  const typed = group.map((schema) => ({ schema, types: typesOf(root, schema) }))
  const wanted = value === undefined ? beginWith(typed.flatMap(({ types }) => types)) : typeOf(value)
  const fitting = typed.filter(({ types }) => wanted !== undefined && types.includes(wanted))
  const candidates = (fitting.length > 0 ? fitting : typed).map(({ schema }) => schema)
  if (!isObject(value)) return candidates[0]
  const scored = candidates.map((schema) => ({ schema, score: scoreOf(root, schema, value) }))
  return scored.reduce<(typeof scored)[number] | undefined>(
    (best, each) => (best === undefined || each.score > best.score ? each : best),
    undefined,
  )?.schema
}

const scoreOf = (root: Schema, schema: Schema, value: JsonObject): number => {
  const { plain } = flatten(root, [schema])
  let score = 0
  for (const each of plain) {
    for (const [name, inner] of Object.entries(isObject(each['properties']) ? each['properties'] : {})) {
      const fixed = fixedIn(inner)
      if (fixed.length > 0 && value[name] !== undefined) score += fixed.includes(value[name]) ? 100 : -100
    }
    for (const name of isList(each['required']) ? each['required'] : [])
      if (withoutEmpty(value[textOf(name)] ?? {}) !== undefined) score += 1
  }
  return score
}

/** The properties with a fixed value in an alternative, by which it is recognized. */
const decidersOf = (root: Schema, group: readonly Schema[]): ReadonlyMap<string, readonly Json[]> => {
  const found = new Map<string, Set<Json>>()
  const counts = new Map<string, number>()
  for (const schema of group)
    for (const each of flatten(root, [schema]).plain)
      for (const [name, inner] of Object.entries(isObject(each['properties']) ? each['properties'] : {})) {
        const fixed = fixedIn(inner)
        if (fixed.length === 0) continue
        found.set(name, new Set([...(found.get(name) ?? []), ...fixed]))
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
  return new Map(
    [...found].flatMap(([name, values]) =>
      (counts.get(name) ?? 0) >= group.length ? [[name, [...values]]] : [],
    ),
  )
}

type Settled = {
  readonly plain: readonly Schema[]
  readonly others: readonly Schema[]
  readonly choices: ReadonlyMap<string, readonly Json[]>
}

/** Decides every alternative by the value. If only the presence of names decides, all keep their properties. */
const settle = (root: Schema, schemas: Schemas, value: Json | undefined, depth = 0): Settled => {
  const { plain, groups } = flatten(root, schemas)
  const all = [...plain]
  const others: Schema[] = []
  const choices = new Map<string, readonly Json[]>()
  for (const group of groups) {
    const chosen = choose(root, group, value)
    if (chosen === undefined || depth > 6) continue
    const deciders = decidersOf(root, group)
    for (const [name, values] of deciders) choices.set(name, values)
    const inner = settle(root, [chosen], value, depth + 1)
    all.push(...inner.plain)
    others.push(...inner.others)
    for (const [name, values] of inner.choices) choices.set(name, values)
    if (deciders.size === 0) for (const each of group) others.push(...flatten(root, [each]).plain)
  }
  return { plain: all, others, choices }
}

/** The shape of a place, given its value. */
export const shapeOf = (root: Schema, schemas: Schemas, value?: Json): Shape => {
  const { plain, others, choices } = settle(root, schemas, value)
  const type = plain.map((schema) => schema['type']).find((each) => each !== undefined)
  const types = isList(type) ? type.map(String) : [textOf(type)]
  if (
    plain.some((each) => isObject(each['properties']) || isObject(each['patternProperties'])) ||
    types.includes('object')
  )
    return objectShape(plain, others, choices)
  const items = plain.flatMap((each) => (isObject(each['items']) ? [each['items']] : []))
  if (items.length > 0)
    return {
      kind: 'list',
      items,
      min: numberIn(plain, 'minItems') ?? 0,
      max: numberIn(plain, 'maxItems') ?? Infinity,
    }
  const fixed = plain.map(fixedIn).find((values) => values.length > 0)
  if (fixed !== undefined) return { kind: 'choice', values: fixed }
  if (types.includes('boolean')) return { kind: 'boolean' }
  if (types.includes('number') || types.includes('integer'))
    return { kind: 'number', isWhole: !types.includes('number') }
  return { kind: 'text', format: textIn(plain, 'format'), isImage: plain.some(isImage) }
}

const isImage = (schema: Schema): boolean =>
  textOf(schema['contentMediaType']).startsWith('image/') ||
  /\b(?:PNG|JPEG)\b/.test(textOf(schema['description']))

const textIn = (schemas: Schemas, key: string): string | undefined =>
  schemas.map((schema) => schema[key]).find((each) => typeof each === 'string')

const numberIn = (schemas: Schemas, key: string): number | undefined =>
  schemas.map((schema) => schema[key]).find((each) => typeof each === 'number')

const objectShape = (
  plain: Schemas,
  others: Schemas,
  choices: ReadonlyMap<string, readonly Json[]>,
): ObjectShape => {
  const properties = new Map<string, Schemas>()
  const collect = (schemas: Schemas, isDecided: boolean): void => {
    const known = new Set(properties.keys())
    for (const schema of schemas)
      for (const [name, inner] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {}))
        if (isObject(inner) && (isDecided || !known.has(name)))
          properties.set(name, [...(properties.get(name) ?? []), inner])
  }
  collect(plain, true)
  collect(others, false)
  return {
    kind: 'object',
    properties,
    required: new Set(
      plain
        .flatMap(({ required }) => (isList(required) ? required.map(String) : []))
        .filter((name) => properties.has(name)),
    ),
    patterns: plain.flatMap((schema) =>
      Object.entries(isObject(schema['patternProperties']) ? schema['patternProperties'] : {}).flatMap(
        ([pattern, inner]) =>
          isObject(inner) ? [{ allows: new RegExp(pattern, 'u'), schemas: [inner] }] : [],
      ),
    ),
    choices,
  }
}

/** The schemas of a property, also if only a pattern allows it. */
export const schemasAt = (shape: Shape, name: string): Schemas => {
  if (shape.kind === 'list') return shape.items
  if (shape.kind !== 'object') return []
  const choice = shape.choices.get(name)
  if (choice !== undefined) return [{ enum: choice }]
  return shape.properties.get(name) ?? shape.patterns.find(({ allows }) => allows.test(name))?.schemas ?? []
}

/** The words of the schema about a place, for the person who fills it in. */
export const aboutOf = (
  root: Schema,
  schemas: Schemas,
): { readonly description: string | undefined; readonly example: Json | undefined } => {
  const { plain } = flatten(root, schemas)
  const examples = plain.map((schema) => schema['examples']).find(isList)
  return { description: textIn(plain, 'description'), example: examples?.[0] }
}
