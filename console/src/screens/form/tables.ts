import { codecOf, isMeasurement } from './codec.ts'
import { below } from './json.ts'
import { type ObjectShape, type Schema, type Schemas, schemasAt, shapeOf } from './schema.ts'

/** Similar parts of a group that name themselves: elements with their symbol, statements with a key. */
export type Coded = {
  /** The property that names an entry, and the one with its value. */
  readonly symbol: string
  readonly actual: string
  readonly entry: Schemas
  /** The names that entries can have; undefined if they are in a list. */
  readonly names: readonly string[] | undefined
}

/** A table whose rows are the elements of a list. */
export type TableSpec = {
  /** The path from the element to the group that the table shows. */
  readonly path: readonly string[]
  readonly columns: readonly string[]
  readonly required: ReadonlySet<string>
  /** Columns with a measured value, which has limits and a unit. */
  readonly measured: readonly string[]
  readonly coded: Coded | undefined
  readonly hasActual: boolean
  readonly schemas: Schemas
}

const actuals = ['Actual', 'ActualFrom', 'Value']
const maxDepth = 3

/** The tables that show a list of such elements; undefined if they do not fit into tables. */
export const specsOf = (
  root: Schema,
  schemas: Schemas,
  path: readonly string[] = [],
): readonly TableSpec[] | undefined => {
  const shape = shapeOf(root, schemas, {})
  if (shape.kind !== 'object' || path.length > maxDepth) return undefined
  const coded = codedIn(root, shape)
  const inCode = new Set(coded?.names)
  const columns: string[] = []
  const nested: TableSpec[] = []
  for (const [name, inner] of shape.properties) {
    if (inCode.has(name)) continue
    if (codecOf(root, inner) !== undefined) columns.push(name)
    else {
      const further = specsBelow(root, inner, [...path, name])
      if (further === undefined) return undefined
      nested.push(...further)
    }
  }
  const own: TableSpec = {
    path,
    columns,
    required: shape.required,
    measured: columns.filter((name) => isMeasured(root, schemasAt(shape, name))),
    coded,
    hasActual: columns.some((name) => actuals.includes(name)) && columns.some((name) => /Min/.test(name)),
    schemas,
  }
  return [own, ...nested]
}

const specsBelow = (
  root: Schema,
  schemas: Schemas,
  path: readonly string[],
): readonly TableSpec[] | undefined => {
  const shape = shapeOf(root, schemas)
  if (shape.kind === 'object') return specsOf(root, schemas, path)
  if (shape.kind !== 'list') return undefined
  const coded = entryOf(root, shape.items)
  if (coded === undefined || !coded.symbol.endsWith('Symbol')) return undefined
  return [
    {
      path,
      columns: [],
      required: new Set(),
      measured: [],
      coded: { ...coded, names: undefined },
      hasActual: true,
      schemas,
    },
  ]
}

const isMeasured = (root: Schema, schemas: Schemas): boolean => {
  const shape = shapeOf(root, schemas)
  return (
    isMeasurement(shape, root) || (shape.kind === 'list' && isMeasurement(shapeOf(root, shape.items), root))
  )
}

/** Names such as C71, at most as many as paper has codes. */
const possibleNames = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) =>
  Array.from({ length: 121 }, (_, number) => `${letter}${String(number).padStart(2, '0')}`),
)

export const codedIn = (root: Schema, shape: ObjectShape): Coded | undefined => {
  const numbered = [...shape.properties].filter(
    ([name, inner]) => /^[A-Z]\d{2,3}$/.test(name) && entryOf(root, inner) !== undefined,
  )
  const [first] = numbered
  if (first !== undefined && numbered.length > 2)
    return withNames(
      root,
      first[1],
      numbered.map(([name]) => name),
    )
  const [pattern] = shape.patterns
  if (pattern === undefined) return undefined
  return withNames(
    root,
    pattern.schemas,
    possibleNames.filter((name) => pattern.allows.test(name) && !shape.properties.has(name)),
  )
}

const withNames = (root: Schema, entry: Schemas, names: readonly string[]): Coded | undefined => {
  const found = entryOf(root, entry)
  return found === undefined || names.length === 0 ? undefined : { ...found, names }
}

const entryOf = (root: Schema, entry: Schemas): Omit<Coded, 'names'> | undefined => {
  const shape = shapeOf(root, entry, {})
  if (shape.kind !== 'object') return undefined
  const names = [...shape.properties.keys()]
  const symbol = names.find((name) => /(?:^|[a-z])Symbol$/.test(name)) ?? names.find((name) => name === 'Key')
  const actual = actuals.find((name) => names.includes(name))
  return symbol === undefined || actual === undefined ? undefined : { symbol, actual, entry }
}

/** The values that columns of a table can have besides their main one. */
export const allFurther = (
  root: Schema,
  { coded, columns, measured, schemas }: TableSpec,
): readonly string[] => {
  const ofEntries = coded === undefined ? [] : furtherOf(root, coded.entry, [coded.symbol, coded.actual])
  const shape = shapeOf(root, schemas, {})
  const ofValues = columns
    .filter((name) => measured.includes(name))
    .flatMap((name) => {
      const inner = shapeOf(root, schemasAt(shape, name))
      return furtherOf(root, inner.kind === 'list' ? inner.items : schemasAt(shape, name), ['Value'])
    })
  return [...new Set([...ofEntries, ...ofValues])]
}

/** The place of a further value in one of the columns, for its label. */
export const furtherPlace = ({ measured: [first = '*'] }: TableSpec, area: string, name: string): string =>
  below(area, first, name)

/** The further values of an entry or a measured value, each in one field: limits, unit, method. */
export const furtherOf = (root: Schema, schemas: Schemas, without: readonly string[]): readonly string[] => {
  const shape = shapeOf(root, schemas, {})
  if (shape.kind !== 'object') return []
  return [...shape.properties].flatMap(([name, inner]) =>
    without.includes(name) || codecOf(root, inner) === undefined ? [] : [name],
  )
}

const usual =
  /^(?:Symbol|PropertySymbol|PropertyName|Property|Key|Value|ValueName|Name|Unit|Minimum|Maximum|Actual|ActualFrom|SpecMin|SpecMax|Method)$/
const fewColumns = 7

/** The columns that a table has from the start. */
export const usualColumns = (
  { path, columns, required, measured, coded }: TableSpec,
  hasMore: boolean,
): readonly string[] => {
  if (path.length > 0 && (measured.length > 0 || coded !== undefined)) return measured
  if (hasMore) return columns.filter((name, at) => at === 0 || required.has(name))
  if (columns.length <= fewColumns) return columns
  const wanted = columns.filter((name) => required.has(name) || usual.test(name))
  return wanted.length > 0 ? wanted : columns.slice(0, fewColumns)
}
