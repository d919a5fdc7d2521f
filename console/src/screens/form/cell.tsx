import { type ClipboardEvent, memo, useId, useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { moveIn } from '../../ui/move-in-table.ts'
import type { Codec } from './codec.ts'
import { type Column, furtherValue, writeFurther } from './columns.ts'
import { useDoubt, useProblem, useText } from './field.tsx'
import { type FieldFinding, lookOf, useForm } from './form-context.ts'
import { isList, type Json } from './json.ts'
import { usePicked, useValue } from './store.ts'

/** A plain element: a table may have thousands. */
const CellInput = ({
  codec,
  title,
  text,
  isWrong,
  describedBy,
  onChange,
  onLeave,
  onPaste,
  onDown,
}: {
  readonly codec: Codec
  readonly title: string
  readonly text: string
  readonly isWrong: boolean
  readonly describedBy: string | undefined
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
  readonly onPaste?: ((event: ClipboardEvent) => void) | undefined
  readonly onDown?: (() => void) | undefined
}) => {
  const shared = {
    'aria-label': title,
    'aria-invalid': isWrong,
    'aria-describedby': describedBy,
    value: text,
    onBlur: onLeave,
  }
  if (codec.kind === 'choice')
    return (
      <select {...shared} onChange={(event) => onChange(event.target.value)}>
        <option value="" aria-label="–" />
        {codec.options?.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  if (codec.kind === 'lines')
    return (
      <textarea
        {...shared}
        rows={Math.max(1, text.split('\n').length)}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <input
      {...shared}
      className={codec.kind === 'number' ? 'number' : undefined}
      type={codec.kind === 'date' ? 'date' : 'text'}
      inputMode={codec.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      onPaste={onPaste}
      onKeyDown={(event) => moveIn(event, onDown)}
    />
  )
}

const cellLook: Readonly<Record<FieldFinding['kind'], string>> = {
  missing: 'wrong',
  wrong: 'wrong',
  doubt: 'doubted',
  advice: 'odd',
}

export const Cell = memo(
  ({
    column,
    row,
    title,
    onPaste,
    onDown,
  }: {
    readonly column: Column
    readonly row: string
    readonly title: string
    readonly onPaste: (event: ClipboardEvent) => void
    readonly onDown: (() => void) | undefined
  }) => {
    const form = useForm()
    const pointer = column.pointer(row)
    const { text, setTyped } = useText(form, pointer, column.codec)
    const [wasLeft, setLeft] = useState(false)
    const id = useId()
    const problem = useProblem(pointer, column.codec, wasLeft)
    const doubt = useDoubt(pointer)
    const said = problem ?? doubt
    return (
      <td className={said && cellLook[said.kind]} data-pointer={pointer}>
        <CellInput
          codec={column.codec}
          {...{ title, text, onPaste, onDown }}
          isWrong={problem !== undefined}
          describedBy={said === undefined ? undefined : id}
          onChange={(next) => {
            setTyped(next)
            column.write(row, next)
          }}
          onLeave={() => {
            setTyped(undefined)
            setLeft(true)
          }}
        />
        {said !== undefined && (
          <span id={id} className="hidden-visually">
            {said.text}
          </span>
        )}
      </td>
    )
  },
)
Cell.displayName = 'Cell'

/** A limit or a unit, which all rows of a column share. */
export const FurtherCell = ({
  column,
  rows,
  list,
  name,
  title,
}: {
  readonly column: Column
  readonly rows: readonly string[]
  readonly list: string
  readonly name: string
  readonly title: string
}) => {
  const form = useForm()
  const codec = column.further.includes(name) ? column.furtherCodec(name) : undefined
  const [typed, setTyped] = useState<string>()
  const shown = usePicked(form.store, list, () =>
    codec === undefined ? '' : codec.show(furtherValue(form, column, rows, name), form.comma),
  )
  if (codec === undefined) return <td />
  return (
    <td>
      <CellInput
        {...{ codec, title }}
        text={typed ?? shown}
        isWrong={false}
        describedBy={undefined}
        onChange={(text) => {
          setTyped(text)
          writeFurther(form, column, { rows, name, text })
        }}
        onLeave={() => setTyped(undefined)}
      />
    </td>
  )
}

/** The problems and oddities of a table in words, with column and row. */
export const Sentences = ({
  columns,
  rows,
}: {
  readonly columns: readonly Column[]
  readonly rows: readonly string[]
}) => {
  const form = useForm()
  const t = useTexts('form')
  const all = useValue(form.findings, '')
  const [naming] = columns
  const said = rows.flatMap((row, at) =>
    columns.flatMap((column) =>
      findingsAt(all, column.pointer(row))
        .filter(({ kind }) => kind !== 'missing' || form.showsMissing)
        .map((finding) => {
          const name = naming?.codec.show(form.store.at(naming.pointer(row)), false)
          return {
            ...finding,
            place: t.place(column.label.text, name === undefined || name === '' ? t.row(at + 1) : name),
          }
        }),
    ),
  )
  return said.map(({ kind, text, place }) => (
    <p key={`${place}${text}`} className={lookOf[kind]}>
      {place}: {text}
    </p>
  ))
}

const findingsAt = (all: Json | undefined, pointer: string): readonly FieldFinding[] => {
  const found =
    typeof all === 'object' && all !== null && !isList(all)
      ? (all as Record<string, unknown>)[pointer]
      : undefined
  return Array.isArray(found) ? (found as readonly FieldFinding[]) : []
}
