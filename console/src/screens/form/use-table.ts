import { useMemo } from 'react'
import {
  codedColumns,
  type Column,
  fixedColumn,
  furtherValue,
  removeColumn,
  symbolsIn,
  writeFurther,
} from './columns.ts'
import { addedTo, addTo, type FormContext, type Label, labelIn, takeFrom, useForm } from './form-context.ts'
import { below, isList, isObject, type Json } from './json.ts'
import type { Pasted } from './paste.ts'
import { usePicked, useValue } from './store.ts'
import { allFurther, furtherPlace, type TableSpec, usualColumns } from './tables.ts'

const rowsOf = (
  list: string,
  value: Json | undefined,
  keys: readonly string[] | undefined,
): readonly string[] => {
  if (keys !== undefined) {
    const known = keys.filter((key) => isObject(value) && value[key] !== undefined)
    return (known.length > 0 ? known : keys.slice(0, 1)).map((key) => below(list, key))
  }
  const count = isList(value) ? value.length : 0
  return Array.from({ length: Math.max(1, count) }, (_, at) => below(list, at))
}

type Wanted = {
  readonly form: FormContext
  readonly rows: readonly string[]
  readonly spec: TableSpec
  readonly naming: TableSpec | undefined
  readonly list: string
  /** The place that remembers which columns somebody added. */
  readonly area: string
}

const modelOf = ({ form, rows, spec, naming, list, area }: Wanted) => {
  const { store, added, root } = form
  const wanted = { form, spec, rows, list }
  const names = new Set([
    ...usualColumns(spec, naming !== undefined || hasMore(spec)),
    ...addedTo(added, area),
    ...filledIn(store.at, spec, rows),
  ])
  const symbols = [...new Set([...symbolsIn(wanted), ...addedTo(added, below(area, 'symbols'))])]
  const [rowName] = naming?.columns ?? []
  const rowColumn =
    naming === undefined || rowName === undefined
      ? undefined
      : fixedColumn({ ...wanted, spec: naming }, rowName)
  const columns = [
    ...(rowColumn === undefined ? [] : [rowColumn]),
    ...spec.columns.filter((name) => names.has(name)).flatMap((name) => fixedColumn(wanted, name) ?? []),
    ...codedColumns(wanted, symbols),
  ]
  const further = allFurther(root, spec)
  const shownFurther = further.filter(
    (name) =>
      addedTo(added, area).includes(name) ||
      (name === 'Unit' && spec.measured.length > 0) ||
      columns.some((column) => !isUsualUnit(name, furtherValue(form, column, rows, name), spec)),
  )
  const hidden = [
    ...spec.columns.filter((name) => !names.has(name)),
    ...further.filter((name) => !shownFurther.includes(name)),
  ]
  return { rows, columns, further, shownFurther, hidden, symbols }
}

type Model = ReturnType<typeof modelOf>

/** Writes pasted texts, and creates the rows and columns that they need. */
const write = (
  { form, spec, list, area }: Omit<Wanted, 'rows' | 'naming'>,
  made: Model,
  { pasted, rowAt }: { readonly pasted: Pasted; readonly rowAt: (position: number) => string },
): void => {
  const { cells, further, newColumns, rowCount } = pasted
  const rows = Array.from(
    { length: Math.max(rowCount, made.rows.length) },
    (_, at) => made.rows[at] ?? rowAt(at),
  )
  const all = [...new Set([...made.symbols, ...newColumns])]
  const columns = new Map(
    [...made.columns, ...codedColumns({ form, spec, rows, list }, all)].map((column) => [column.id, column]),
  )
  for (const { row, column, text } of cells) {
    const place = rows[row]
    if (place !== undefined && text !== '') columns.get(column)?.write(place, text)
  }
  for (const { name, column, text } of further) {
    const into = columns.get(column)
    if (into !== undefined) writeFurther(form, into, { rows, name, text })
    addTo(form.added, area, name)
  }
}

/** The model of a table. It changes with rows and columns, not with values. */
const useModel = (wanted: Omit<Wanted, 'rows'>, keys: TableProps['keys']): Model => {
  const { form, spec, naming, list, area } = wanted
  const { store, added } = form
  const own = useValue(added, below('', area))
  const symbols = useValue(added, below('', below(area, 'symbols')))
  const outline = usePicked(store, list, (value) => {
    const rows = rowsOf(list, value, keys)
    return JSON.stringify([
      rows.length,
      rows.at(-1),
      symbolsIn({ form, spec, rows, list }),
      filledIn(store.at, spec, rows),
    ])
  })
  return useMemo(
    () => modelOf({ form, rows: rowsOf(list, store.at(list), keys), spec, naming, list, area }),
    // The outline contains everything in the certificate that decides about columns.
    [form, list, keys, spec, naming, area, store, own, symbols, outline],
  )
}

export type TableProps = {
  /** The pointer of the list, or of a group whose names are codes. */
  readonly list: string
  /** The names that the elements of a group can have. */
  readonly keys?: readonly string[]
  /** The table to show; after it, the one that names the rows, if that is another. */
  readonly specs: readonly [TableSpec, TableSpec?]
  readonly label: Label
}

/** Rows, columns and actions of a table of the form. */
export const useTable = ({ list, keys, specs: [spec, naming] }: TableProps) => {
  const form = useForm()
  const { store, added } = form
  const area = spec.path.length === 0 ? list : below(list, '*', ...spec.path)
  const made = useModel({ form, spec, naming, list, area }, keys)
  const rowAt = (at: number): string => below(list, keys === undefined ? at : (keys[at] ?? at))
  const addRow = (): void => {
    const count = keys === undefined && !isList(store.at(list)) ? 0 : made.rows.length
    const next =
      keys === undefined
        ? below(list, Math.max(1, count))
        : keys.map((key) => below(list, key)).find((row) => !made.rows.includes(row))
    const [first] = made.rows
    if (first !== undefined && store.at(first) === undefined) store.set(first, {})
    if (next !== undefined) store.set(next, {})
  }
  return {
    ...made,
    coded: spec.coded,
    areas: { pointer: area },
    labelOf: (name: string): Label =>
      labelIn(form, made.further.includes(name) ? furtherPlace(spec, area, name) : below(area, name)),
    canRemove: made.rows.length > 1,
    addRow,
    removeRow: (row: string) => store.set(row, undefined),
    addColumn: (symbol: string) => addTo(added, below(area, 'symbols'), symbol),
    dropColumn(column: Column) {
      if (spec.coded !== undefined) removeColumn(form, column, made.rows, spec.coded.symbol)
      takeFrom(added, below(area, 'symbols'), column.id)
    },
    /** Most forms are filled without it: the names of the trade are loaded with the first table. */
    async paste(
      text: string,
      at: { readonly row: number; readonly column: number },
      joined: ReadonlyMap<string, string>,
    ): Promise<Pasted> {
      const { understand } = await import('./paste.ts')
      const [first] = made.columns
      const pasted = understand(text, {
        columns: made.columns,
        rowNames: made.rows.map((row) => first?.codec.show(store.at(first.pointer(row)), false) ?? ''),
        at,
        joined,
        takesNew: spec.coded !== undefined,
        further: made.further.map((name) => ({
          name,
          text: labelIn(form, furtherPlace(spec, area, name)).text,
        })),
      })
      store.batch(() => write({ form, spec, list, area }, made, { pasted, rowAt }))
      return pasted
    },
  }
}

const hasMore = ({ path, columns }: TableSpec): boolean => path.length === 0 && columns.length === 0

/** The columns in which a row has a value. */
const filledIn = (
  at: (pointer: string) => Json | undefined,
  { path, columns }: TableSpec,
  rows: readonly string[],
): readonly string[] =>
  columns.filter((name) => rows.some((row) => at(below(row, ...path, name)) !== undefined))

/** Per cent of elements is usual and needs no row. */
const isUsualUnit = (name: string, value: Json | undefined, { measured }: TableSpec): boolean =>
  value === undefined || (name === 'Unit' && value === '%' && measured.length === 0)
