import { type Codec, codecOf } from './codec.ts'
import { type FormContext, type Label, labelIn } from './form-context.ts'
import { below, isList, isObject, type Json, type JsonObject, textOf } from './json.ts'
import { type Schemas, schemasAt, shapeOf } from './schema.ts'
import { type Coded, furtherOf, type TableSpec } from './tables.ts'

export type Column = {
  readonly id: string
  readonly label: Label
  readonly codec: Codec
  /** The pointer of the cell in a row. */
  readonly pointer: (row: string) => string
  /** The pointer of the group with its limits and unit; undefined if it has none. */
  readonly entry: ((row: string) => string) | undefined
  readonly further: readonly string[]
  readonly furtherCodec: (name: string) => Codec | undefined
  readonly write: (row: string, text: string) => void
  /** Only a column that somebody added can be removed. */
  readonly isOwn: boolean
}

type Wanted = {
  readonly form: FormContext
  readonly spec: TableSpec
  readonly rows: readonly string[]
  /** The pointer of the list that the rows are in. */
  readonly list: string
}

export const fixedColumn = ({ form, spec, rows, list }: Wanted, name: string): Column | undefined => {
  const { store, root } = form
  const schemas = schemasAt(shapeOf(root, spec.schemas, {}), name)
  const codec = codecOf(root, schemas)
  if (codec === undefined) return undefined
  const pointer = (row: string): string => below(row, ...spec.path, name)
  const isMeasured = spec.measured.includes(name)
  const entrySchemas = elementOf(root, schemas)
  return {
    id: name,
    label: labelIn(form, below(list, '*', ...spec.path, name)),
    codec,
    pointer,
    entry: isMeasured ? pointer : undefined,
    further: isMeasured ? furtherOf(root, entrySchemas, ['Value']) : [],
    furtherCodec: (each) => codecOf(root, schemasAt(shapeOf(root, entrySchemas, {}), each)),
    write(row, text) {
      const before = store.at(pointer(row))
      const alike = isMeasured
        ? rows.map((each) => store.at(pointer(each))).find((each) => each !== undefined)
        : undefined
      store.set(pointer(row), codec.read(text, before ?? withoutValue(alike)))
    },
    isOwn: false,
  }
}

const elementOf = (root: FormContext['root'], schemas: Schemas): Schemas => {
  const shape = shapeOf(root, schemas)
  return shape.kind === 'list' ? shape.items : schemas
}

const withoutValue = (value: Json | undefined): Json | undefined => {
  if (isList(value)) return value.slice(0, 1).map((each) => withoutValue(each) ?? {})
  if (!isObject(value)) return undefined
  const { Value: _gone, ...rest } = value
  return rest
}

/** The entries of a row that name themselves. */
const entriesOf = (
  group: Json | undefined,
  { names, symbol }: Coded,
): readonly (readonly [string | number, string])[] => {
  const all: readonly (readonly [string | number, Json])[] = isList(group)
    ? [...group.entries()]
    : Object.entries(isObject(group) ? group : {}).filter(([name]) => names?.includes(name) === true)
  return all.flatMap(([name, entry]) =>
    isObject(entry) && entry[symbol] !== undefined ? [[name, textOf(entry[symbol])] as const] : [],
  )
}

/** The symbols that rows have entries for, in the order of their names. */
export const symbolsIn = ({ form, spec, rows }: Wanted): readonly string[] => {
  const { coded } = spec
  if (coded === undefined) return []
  const found = rows.flatMap((row) => entriesOf(form.store.at(below(row, ...spec.path)), coded))
  const order = (name: string | number): number => coded.names?.indexOf(String(name)) ?? Number(name)
  return [
    ...new Set(found.toSorted(([one], [other]) => order(one) - order(other)).map(([, symbol]) => symbol)),
  ]
}

/** The first free names, for symbols that no row has yet. */
const freeNames = (
  { form, spec, rows }: Wanted,
  coded: Coded,
  symbols: readonly string[],
): ReadonlyMap<string, string> => {
  const used = new Map<string, string>()
  for (const row of rows)
    for (const [name, symbol] of entriesOf(form.store.at(below(row, ...spec.path)), coded))
      if (!used.has(symbol)) used.set(symbol, String(name))
  const taken = new Set(used.values())
  const free = (coded.names ?? []).filter((name) => !taken.has(name))
  for (const symbol of symbols) if (!used.has(symbol)) used.set(symbol, free.shift() ?? symbol)
  return used
}

export const codedColumns = (wanted: Wanted, symbols: readonly string[]): readonly Column[] => {
  const { form, spec, list } = wanted
  const { coded } = spec
  if (coded === undefined) return []
  const names = freeNames(wanted, coded, symbols)
  return symbols.flatMap((symbol) =>
    codedColumn(wanted, coded, {
      symbol,
      name: names.get(symbol) ?? symbol,
      code: labelIn(form, below(list, '*', ...spec.path, names.get(symbol) ?? symbol)).code,
    }),
  )
}

const codedColumn = (
  { form, spec, rows }: Wanted,
  coded: Coded,
  { symbol, name, code }: { symbol: string; name: string; code: string | undefined },
): Column[] => {
  const { store, root } = form
  const shape = shapeOf(root, coded.entry, {})
  const codec = codecOf(root, schemasAt(shape, coded.actual))
  if (codec === undefined) return []
  const entry = (row: string): string => {
    const group = below(row, ...spec.path)
    const value = store.at(group)
    const known = entriesOf(value, coded).find(([, each]) => each === symbol)?.[0]
    const next = isList(value) ? value.length : 0
    return below(group, known ?? (coded.names === undefined ? next : name))
  }
  const further = furtherOf(root, coded.entry, [coded.symbol, coded.actual])
  const begin = (): JsonObject => {
    const alike = rows
      .map((row) => store.at(entry(row)))
      .find((each) => isObject(each) && each[coded.symbol] === symbol)
    if (isObject(alike)) return alike
    const unit = firstUnit(root, schemasAt(shape, 'Unit'), coded)
    return unit === undefined ? { [coded.symbol]: symbol } : { [coded.symbol]: symbol, Unit: unit }
  }
  const isElsewhere = (row: string): boolean =>
    rows.some((each) => {
      const other = each === row ? undefined : store.at(entry(each))
      return isObject(other) && other[coded.symbol] === symbol
    })
  return [
    {
      id: symbol,
      label: { code, text: symbol },
      codec,
      pointer: (row) => below(entry(row), coded.actual),
      entry,
      further,
      furtherCodec: (each) => codecOf(root, schemasAt(shape, each)),
      write(row, text) {
        const before = store.at(entry(row))
        const value = codec.read(text, isObject(before) ? before[coded.actual] : undefined)
        if (value !== undefined)
          store.set(entry(row), { ...begin(), ...(isObject(before) && before), [coded.actual]: value })
        else if (isElsewhere(row)) store.set(entry(row), undefined)
        else if (isObject(before)) store.set(below(entry(row), coded.actual), undefined)
      },
      isOwn: true,
    },
  ]
}

/** Shares of elements are per cent unless somebody changes it. */
const firstUnit = (root: FormContext['root'], schemas: Schemas, { symbol }: Coded): Json | undefined => {
  if (schemas.length === 0) return undefined
  const shape = shapeOf(root, schemas)
  if (shape.kind === 'choice') return shape.values[0]
  return symbol.endsWith('Symbol') ? '%' : undefined
}

export const removeColumn = (
  { store }: FormContext,
  { entry, id }: Column,
  rows: readonly string[],
  symbol: string,
): void =>
  store.batch(() => {
    for (const row of rows) {
      const at = entry?.(row)
      const value = at === undefined ? undefined : store.at(at)
      if (at !== undefined && isObject(value) && value[symbol] === id) store.set(at, undefined)
    }
  })

/** A value that all rows share: the limit, the unit. The first row that has it counts for all. */
export const furtherValue = (
  { store }: FormContext,
  column: Column,
  rows: readonly string[],
  name: string,
): Json | undefined => {
  for (const row of rows) {
    const entry = column.entry === undefined ? undefined : store.at(column.entry(row))
    const group = isList(entry) ? entry[0] : entry
    if (isObject(group) && group[name] !== undefined) return group[name]
  }
  return undefined
}

export const writeFurther = (
  { store }: FormContext,
  column: Column,
  { rows, name, text }: { rows: readonly string[]; name: string; text: string },
): void => {
  const { entry } = column
  const codec = column.furtherCodec(name)
  if (entry === undefined || codec === undefined) return
  const change = (group: JsonObject): JsonObject => {
    const value = codec.read(text, group[name])
    const { [name]: _former, ...rest } = group
    return value === undefined ? rest : { ...rest, [name]: value }
  }
  store.batch(() => {
    const present = rows.filter((row) => store.at(entry(row)) !== undefined)
    for (const row of present) {
      const before = store.at(entry(row))
      if (isList(before))
        store.set(
          entry(row),
          before.map((each) => (isObject(each) ? change(each) : each)),
        )
      else if (isObject(before)) store.set(entry(row), change(before))
    }
    const [first] = rows
    if (present.length > 0 || first === undefined) return
    // Nothing was measured yet, so the limit waits for the value.
    if (column.isOwn) column.write(first, '')
    const began = store.at(entry(first))
    store.set(entry(first), change(isObject(began) ? began : {}))
  })
}
