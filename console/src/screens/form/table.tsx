import { type ClipboardEvent, useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { AddMenu } from './add-menu.tsx'
import type { Column } from './columns.ts'
import { Cell, FurtherCell, Sentences } from './cell.tsx'
import { LabelText } from './field.tsx'
import { addTo, type Label, labelIn, useForm } from './form-context.ts'
import { below } from './json.ts'
import { PasteDialog } from './paste-dialog.tsx'
import { type TableProps, useTable } from './use-table.ts'

/** A table to fill in, key by key or from a spreadsheet. */
export const Table = (props: TableProps) => {
  const form = useForm()
  const t = useTexts('form')
  const table = useTable(props)
  const { rows, columns, coded, areas } = table
  const [left, setLeft] = useState<LeftOver>()
  const take = (text: string, at = { row: 0, column: 0 }, joined = new Map<string, string>()): void => {
    void table
      .paste(text, at, joined)
      .then(({ unknown }) =>
        setLeft({ unknown, join: (head, column) => take(text, at, new Map([...joined, [head, column]])) }),
      )
  }
  return (
    <div className="form-table" data-pointer={areas.pointer}>
      <div className="row">
        <h3>
          <LabelText {...props.label} />
        </h3>
        <span className="end row">
          {coded !== undefined && (
            <NewColumn
              onAdd={table.addColumn}
              label={t.newColumn(labelIn(form, below(areas.pointer, '*', coded.symbol)).text)}
            />
          )}
          <PasteDialog title={props.label.text} onTake={take} />
        </span>
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label={props.label.text}>
        <table className="cells">
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHead
                  key={column.id}
                  column={column}
                  onRemove={column.isOwn ? () => table.dropColumn(column) : undefined}
                />
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            <Limits list={props.list} table={table} />
            <Body table={table} onTake={take} />
          </tbody>
        </table>
      </div>
      {coded !== undefined && columns.length < 2 && <p className="hint">{t.noColumns}</p>}
      <Sentences columns={columns} rows={rows} />
      <UnknownColumns left={left} columns={columns} />
      <Foot table={table} label={props.label} />
    </div>
  )
}

/** Headings of a pasted table that mean no column. `join` takes the table once more, with one joined to a column. */
type LeftOver = {
  readonly unknown: readonly string[]
  readonly join: (head: string, column: string) => void
}

const UnknownColumns = ({
  left,
  columns,
}: {
  readonly left: LeftOver | undefined
  readonly columns: readonly Column[]
}) => {
  const t = useTexts('form')
  return left?.unknown.map((head) => (
    <div key={head} role="status">
      <Select
        label={t.unknownColumn(head)}
        placeholder={t.joinColumn}
        options={columns.map(({ id, label }) => ({ id, label: `${label.code ?? ''} ${label.text}`.trim() }))}
        value={undefined}
        onChange={(column) => left.join(head, column)}
      />
    </div>
  ))
}

type Model = ReturnType<typeof useTable>

/** Limits and units, which all rows share. */
const Limits = ({
  list,
  table: { columns, rows, shownFurther, labelOf },
}: {
  readonly list: string
  readonly table: Model
}) =>
  shownFurther.map((name) => (
    <tr key={name} className="further">
      <th scope="row">{labelOf(name).text}</th>
      {columns.slice(1).map((column) => (
        <FurtherCell
          key={column.id}
          {...{ column, rows, name, list }}
          title={`${labelOf(name).text}, ${column.label.text}`}
        />
      ))}
      <td />
    </tr>
  ))

const Body = ({
  table,
  onTake,
}: {
  readonly table: Model
  readonly onTake: (text: string, at: { readonly row: number; readonly column: number }) => void
}) => {
  const t = useTexts('form')
  const { rows, columns } = table
  const pasteAt = (row: number, column: number) => (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    onTake(text, { row, column })
  }
  return rows.map((row, down) => (
    <tr key={row}>
      {columns.map((column, right) => (
        <Cell
          key={column.id}
          {...{ column, row }}
          title={`${column.label.text}, ${t.row(down + 1)}`}
          onPaste={pasteAt(down, right)}
          onDown={down === rows.length - 1 ? table.addRow : undefined}
        />
      ))}
      <td>
        {table.canRemove && (
          <Button
            kind="quiet"
            aria-label={`${t.remove}: ${t.row(down + 1)}`}
            onPress={() => table.removeRow(row)}
          >
            ×
          </Button>
        )}
      </td>
    </tr>
  ))
}

const Foot = ({ table, label }: { readonly table: Model; readonly label: Label }) => {
  const form = useForm()
  const t = useTexts('form')
  return (
    <div className="row">
      <Button kind="quiet" onPress={table.addRow}>
        + {t.addRow}
      </Button>
      {table.hidden.length > 0 && (
        <AddMenu
          of={label.text}
          title={t.columns}
          options={table.hidden.map((name) => ({ id: name, ...table.labelOf(name) }))}
          onAdd={(name) => addTo(form.added, table.areas.pointer, name)}
        />
      )}
    </div>
  )
}

const ColumnHead = ({
  column: { label },
  onRemove,
}: {
  readonly column: Column
  readonly onRemove: (() => void) | undefined
}) => {
  const t = useTexts('form')
  return (
    <th scope="col">
      <LabelText {...label} />
      {onRemove !== undefined && (
        <Button kind="quiet" aria-label={`${t.remove}: ${label.text}`} onPress={onRemove}>
          ×
        </Button>
      )}
    </th>
  )
}

const NewColumn = ({
  label,
  onAdd,
}: {
  readonly label: string
  readonly onAdd: (symbol: string) => void
}) => {
  const t = useTexts('form')
  const [symbol, setSymbol] = useState('')
  const add = (): void => {
    if (symbol.trim() === '') return
    onAdd(symbol.trim())
    setSymbol('')
  }
  return (
    <span className="row form-new">
      <input
        className="input"
        aria-label={label}
        placeholder={label}
        value={symbol}
        onChange={(event) => setSymbol(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add()
        }}
      />
      <Button onPress={add} aria-label={`${t.add}: ${label}`}>
        +
      </Button>
    </span>
  )
}
