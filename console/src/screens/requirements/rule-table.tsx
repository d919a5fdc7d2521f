import {
  emptyRow,
  isEmptyRow,
  limitColumns,
  readRequirementTable,
  requirementColumns,
  type RequirementRow,
} from '@millseal/contract/requirement-table'
import { type ClipboardEvent, useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { moveIn } from '../../ui/move-in-table.ts'
import { PasteDialog } from '../form/paste-dialog.tsx'
import type { Fault } from './refusal.ts'

type Props = {
  readonly rows: readonly RequirementRow[]
  readonly onChange: (rows: readonly RequirementRow[]) => void
  readonly faults: readonly Fault[]
  readonly isReadOnly: boolean
}

/** The limits, one a row, typed or pasted from a spreadsheet. */
export const RuleTable = ({ rows, onChange, faults, isReadOnly }: Props) => {
  const t = useTexts('requirements')
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const take = (text: string, row = rows.length): void => {
    const read = readRequirementTable(text)
    setUnknown(read.unknown)
    const before = rows.slice(0, row)
    const behind = rows.slice(row + read.rows.length)
    onChange([...before, ...read.rows, ...behind].filter((one, at) => at < row || !isEmptyRow(one)))
  }
  const add = (): void => onChange([...rows, { ...emptyRow, unit: rows.at(-1)?.unit ?? '' }])
  return (
    <div className="form-table">
      <div className="row">
        <h2>{t.rules}</h2>
        {!isReadOnly && (
          <span className="end row">
            <PasteDialog
              title={t.rules}
              onTake={(text) => take(text, rows.filter((row) => !isEmptyRow(row)).length)}
            />
          </span>
        )}
      </div>
      <Cells {...{ rows, onChange, faults, isReadOnly }} onPaste={take} onEnd={add} />
      {unknown.length > 0 && <p role="status">{t.unknownColumns(unknown.join(', '))}</p>}
      {!isReadOnly && (
        <div className="row">
          <Button kind="quiet" onPress={add}>
            + {t.addRow}
          </Button>
        </div>
      )}
    </div>
  )
}

const Cells = ({
  rows,
  onChange,
  faults,
  isReadOnly,
  onPaste,
  onEnd,
}: Props & { readonly onPaste: (text: string, row: number) => void; readonly onEnd: () => void }) => {
  const t = useTexts('requirements')
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={t.rules}>
      <table className="cells">
        <thead>
          <tr>
            {requirementColumns.map((column) => (
              <th key={column} scope="col">
                {t.columns[column]}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Line
              // A row has no name but its place.
              key={at}
              {...{ row, at, faults, isReadOnly }}
              onChange={(next) => onChange(rows.with(at, next))}
              onPaste={(text) => onPaste(text, at)}
              onRemove={() => onChange(rows.toSpliced(at, 1))}
              onEnd={at === rows.length - 1 ? onEnd : undefined}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Line = ({
  row,
  at,
  faults,
  isReadOnly,
  onChange,
  onPaste,
  onRemove,
  onEnd,
}: {
  readonly row: RequirementRow
  readonly at: number
  readonly faults: readonly Fault[]
  readonly isReadOnly: boolean
  readonly onChange: (row: RequirementRow) => void
  readonly onPaste: (text: string) => void
  readonly onRemove: () => void
  readonly onEnd: (() => void) | undefined
}) => {
  const t = useTexts('requirements')
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    onPaste(text)
  }
  return (
    <tr>
      {requirementColumns.map((column) => {
        const isWrong = faults.some((fault) => fault.row === at && fault.column === column)
        return (
          <td key={column} className={isWrong ? 'wrong' : undefined}>
            <input
              aria-label={t.cell(t.columns[column], at + 1)}
              aria-invalid={isWrong}
              className={limitColumns.includes(column) ? 'number' : undefined}
              inputMode={limitColumns.includes(column) ? 'decimal' : 'text'}
              readOnly={isReadOnly}
              value={row[column]}
              onChange={(event) => onChange({ ...row, [column]: event.target.value })}
              onKeyDown={(event) => moveIn(event, isReadOnly ? undefined : onEnd)}
              onPaste={isReadOnly ? undefined : paste}
            />
          </td>
        )
      })}
      <td>
        {!isReadOnly && (
          <Button kind="quiet" aria-label={t.removeRow(at + 1)} onPress={onRemove}>
            ×
          </Button>
        )}
      </td>
    </tr>
  )
}
