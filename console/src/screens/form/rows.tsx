import { type FunctionComponent, useMemo } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { AddMenu } from './add-menu.tsx'
import { addTo, type Label, labelIn, useAdded, useForm } from './form-context.ts'
import { below, isList, isObject, type Json, valueAt, withoutEmpty } from './json.ts'
import type { Place } from './outline.ts'
import type { Schemas } from './schema.ts'
import { useOutline, usePicked } from './store.ts'
import { Table } from './table.tsx'
import { specsOf, type TableSpec, usualColumns } from './tables.ts'

type Props = {
  readonly pointer: string
  readonly label: Label
  readonly items: Schemas
  readonly place: Place
  /** Draws the parts of an element. It is a parameter because groups and lists contain each other. */
  readonly Group: FunctionComponent<{
    readonly pointer: string
    readonly schemas: Schemas
    readonly place: Place
  }>
}

/** A list: as tables if its elements fit into rows, otherwise one element after the other. */
export const Rows = (props: Props) => {
  const { root } = useForm()
  const specs = useMemo(() => specsOf(root, props.items), [root, props.items])
  const [own, ...nested] = specs ?? []
  if (own === undefined) return <Cards {...props} />
  return (
    <Tables
      {...props}
      own={own}
      nested={nested.filter(({ columns, coded }) => columns.length > 0 || coded !== undefined)}
    />
  )
}

const idOf = ({ path }: TableSpec): string => path.join('.')

/** Chemistry, and the first test with measured values. */
const usualTables = (nested: readonly TableSpec[]): readonly string[] => {
  const chemistry = nested.find(({ coded }) => coded?.symbol.endsWith('Symbol') === true)
  const test = nested.find(({ measured }) => measured.length > 0)
  return [chemistry, test].flatMap((spec) => (spec === undefined ? [] : [idOf(spec)]))
}

const hasValues = (list: Json | undefined, { path }: TableSpec): boolean =>
  isList(list) && list.some((row) => withoutEmpty(valueAt(row, below('', ...path)) ?? {}) !== undefined)

type TablesProps = Props & { readonly own: TableSpec; readonly nested: readonly TableSpec[] }

/** The tables to show: the usual ones, those with values, and those that somebody added. */
const useShown = ({ pointer, place, own, nested }: TablesProps) => {
  const { store } = useForm()
  const added = useAdded(pointer)
  const usual = useMemo(() => usualTables(nested), [nested])
  const filled = usePicked(store, pointer, (list) =>
    nested
      .filter((spec) => hasValues(list, spec))
      .map(idOf)
      .join(),
  ).split(',')
  const hasOwn = usePicked(store, pointer, (list) => {
    const rows = isList(list) ? list.filter(isObject) : []
    return own.columns.slice(1).some((name) => rows.some((row) => row[name] !== undefined))
  })
  const order = [...place.children.keys()]
  const inOrder = nested.toSorted(
    (one, other) => order.indexOf(one.path[0] ?? '') - order.indexOf(other.path[0] ?? ''),
  )
  const shown = inOrder.filter((spec) => [...usual, ...added, ...filled].includes(idOf(spec)))
  const isWanted = shown.length === 0 || hasOwn || added.includes('') || usualColumns(own, true).length > 1
  return {
    shown,
    hidden: inOrder.filter((spec) => !shown.includes(spec)),
    isOwnShown: own.columns.length > 0 && isWanted,
  }
}

const Tables = (props: TablesProps) => {
  const { pointer, label, own } = props
  const form = useForm()
  const t = useTexts('form')
  const { shown, hidden, isOwnShown } = useShown(props)
  const row = below(pointer, '*')
  const labelOf = ({ path }: TableSpec): Label => ({
    code: undefined,
    text:
      path.length === 0
        ? label.text
        : path.map((_, at) => labelIn(form, below(row, ...path.slice(0, at + 1))).text).join(': '),
  })
  const further = isOwnShown ? [] : own.columns.slice(1).map((name) => labelIn(form, below(row, name)).text)
  const options = [
    ...hidden.map((spec) => ({ id: idOf(spec), ...labelOf(spec) })),
    ...(further.length === 0 ? [] : [{ id: '', code: undefined, text: further.join(', ') }]),
  ]
  return (
    <>
      {isOwnShown && <Table list={pointer} specs={[own]} label={label} />}
      {shown.map((spec) => (
        <Table key={idOf(spec)} list={pointer} specs={[spec, own]} label={labelOf(spec)} />
      ))}
      {options.length > 0 && (
        <AddMenu
          of={label.text}
          title={t.addTable}
          options={options}
          onAdd={(id) => addTo(form.added, pointer, id)}
        />
      )}
    </>
  )
}

const Cards = ({ pointer, label, items, place, Group }: Props) => {
  const { store } = useForm()
  const t = useTexts('form')
  useOutline(store, pointer)
  const value = store.at(pointer)
  const count = isList(value) ? value.length : 0
  const rows = Array.from({ length: Math.max(1, count) }, (_, at) => below(pointer, at))
  const add = (): void => {
    if (count === 0) store.set(below(pointer, 0), {})
    store.set(below(pointer, Math.max(1, count)), {})
  }
  return (
    <>
      {rows.map((row, at) => (
        <section key={row} className="form-block">
          <div className="row">
            <h3>{t.element(label.text, at + 1)}</h3>
            {rows.length > 1 && (
              <Button
                kind="quiet"
                className="end"
                aria-label={`${t.remove}: ${t.element(label.text, at + 1)}`}
                onPress={() => store.set(row, undefined)}
              >
                {t.remove}
              </Button>
            )}
          </div>
          <Group pointer={row} schemas={items} place={place} />
        </section>
      ))}
      <Button kind="quiet" onPress={add}>
        + {t.addRow}
      </Button>
    </>
  )
}
