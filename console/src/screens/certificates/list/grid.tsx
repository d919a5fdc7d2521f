import type { Certificate } from '@millseal/contract'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { handleGridKey } from './grid-keys.ts'
import { Head } from './head.tsx'
import type { ListSearch } from './list-search.ts'
import { Row, type RowContext } from './row.tsx'
import type { Rows } from './use-rows.ts'
import type { Selection } from './use-selection.ts'
import { useDrawnRows } from './use-drawn-rows.ts'

type Props = RowContext & {
  readonly label: string
  readonly list: Rows
  readonly search: ListSearch
  readonly selection: Selection
  readonly gridRef: RefObject<HTMLDivElement | null>
}

/** The headings have buttons, which handle their own keys. */
const isInHead = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('.head') !== null

/** Rows to load before anybody scrolls to them. */
const loadAhead = 150

/** Draws only the rows in the window, because React Aria's table with thousands of rows is too slow. */
export const Grid = ({ label, list, search, selection, gridRef, ...context }: Props) => {
  const { rows, total, isTotalExact, isStale } = list
  const [active, setActive] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const { drawn, height, scrollTo } = useDrawnRows({ rows, active, body })
  useLoadingAhead(list, Math.max(-1, ...drawn.map(({ index }) => (index === active ? -1 : index))))
  const open = useOpen()
  const move = (index: number, extend: boolean) => {
    setActive(index)
    scrollTo(index)
    if (extend) selection.add([rows[active]?.id, rows[index]?.id].filter((id) => id !== undefined))
  }
  const keys = {
    count: rows.length,
    active,
    move: (index: number, { extend }: { extend: boolean }) => move(index, extend),
    open: (index: number) => open(rows[index]),
    toggle: (index: number) => {
      const row = rows[index]
      if (row !== undefined) selection.toggle(row.id)
    },
    selectAll: () => selection.add(rows.map(({ id }) => id)),
    clear: selection.clear,
  }
  const activeRow = rows[active]
  return (
    <div
      ref={gridRef}
      role="grid"
      className={context.isReceived ? 'certificates received' : 'certificates'}
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={total !== undefined && isTotalExact ? total + 1 : -1}
      aria-busy={isStale}
      aria-activedescendant={activeRow === undefined ? undefined : `row-${activeRow.id}`}
      tabIndex={0}
      onKeyDown={(event) => isInHead(event.target) || handleGridKey(event, keys)}
    >
      <Head isReceived={context.isReceived} search={search} />
      <div role="rowgroup" ref={body} className="rows" style={{ height }}>
        {drawn.map(({ row, index, style }) => (
          <Row
            key={row.id}
            {...context}
            certificate={row}
            index={index}
            isActive={index === active}
            isSelected={selection.ids.has(row.id)}
            onActive={setActive}
            onToggle={selection.toggle}
            onOpen={open}
            style={style}
          />
        ))}
      </div>
    </div>
  )
}

const useLoadingAhead = ({ hasMore, rows, loadMore }: Rows, lastDrawn: number): void => {
  useEffect(() => {
    if (hasMore && lastDrawn > rows.length - loadAhead) loadMore()
  }, [hasMore, lastDrawn, rows.length, loadMore])
}

const useOpen = (): ((row: Certificate | undefined) => void) => {
  const navigate = useNavigate()
  return (row) => {
    if (row !== undefined) void navigate({ to: '/certificates/$id', params: { id: row.id } })
  }
}
