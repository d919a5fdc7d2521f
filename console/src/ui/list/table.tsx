import type { ReactNode } from 'react'
import './table.css'

export type Line = {
  readonly id: string
  readonly cells: readonly ReactNode[]
  /** Colours the line. */
  readonly tone?: 'bad' | 'warn' | undefined
}

/** A table that becomes a card per line on a phone. The first cell names the line. */
export const Table = ({
  label,
  columns,
  lines,
}: {
  readonly label: string
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
}) => (
  <div className="scroll cards" tabIndex={0} role="region" aria-label={label}>
    <table className="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {lines.map(({ id, cells, tone }) => (
          <tr key={id} role="row" className={tone}>
            {cells.map((cell, at) => (
              <td key={columns[at]} role="cell" data-label={columns[at]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
