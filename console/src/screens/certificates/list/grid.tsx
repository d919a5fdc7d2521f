import type { Certificate } from '@millseal/contract'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import { handleGridKey } from './grid-keys.ts'
import { Row, type RowContext } from './row.tsx'
import type { Rows } from './use-rows.ts'
import type { Selection } from './use-selection.ts'
import { useNarrow } from './use-narrow.ts'

type Props = RowContext & {
  readonly label: string
  readonly list: Rows
  readonly selection: Selection
  readonly gridRef: RefObject<HTMLDivElement | null>
}

const rowHeights = { wide: 41, narrow: 92 }
const headHeight = 38
/** Rows beyond the window that are drawn, and that are loaded before anybody scrolls there. */
const overscan = 20
const loadAhead = 150

/** Draws only the rows in the window, because React Aria's table with thousands of rows is too slow. */
export const Grid = ({ label, list, selection, gridRef, ...context }: Props) => {
  const { rows, total, isTotalExact, hasMore, loadMore, isStale } = list
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const [active, setActive] = useState(0)
  const anchor = useRef<HTMLDivElement>(null)
  const top = useTop(anchor)
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    scrollPaddingStart: isNarrow ? 0 : headHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The chosen row stays in the document, because aria-activedescendant names it.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      const isDrawn = active >= range.count || drawn.includes(active)
      return isDrawn ? drawn : [...drawn, active].toSorted((a, b) => a - b)
    },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const items = virtualizer.getVirtualItems()
  const lastDrawn = Math.max(-1, ...items.map(({ index }) => (index === active ? -1 : index)))
  useEffect(() => {
    if (hasMore && lastDrawn > rows.length - loadAhead) loadMore()
  }, [hasMore, lastDrawn, rows.length, loadMore])
  const open = (row: Certificate | undefined) => {
    if (row !== undefined) void navigate({ to: '/certificates/$id', params: { id: row.id } })
  }
  const move = (index: number, extend: boolean) => {
    setActive(index)
    virtualizer.scrollToIndex(index)
    const passed = [rows[active]?.id, rows[index]?.id].filter((id) => id !== undefined)
    if (extend) selection.add(passed)
  }
  const activeRow = rows[active]
  return (
    <div
      ref={gridRef}
      role="grid"
      className="certificates"
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={total !== undefined && isTotalExact ? total + 1 : -1}
      aria-busy={isStale}
      aria-activedescendant={activeRow === undefined ? undefined : `row-${activeRow.id}`}
      tabIndex={0}
      onKeyDown={(event) =>
        handleGridKey(event, {
          count: rows.length,
          active,
          move: (index, { extend }) => move(index, extend),
          open: (index) => open(rows[index]),
          toggle: (index) => {
            const row = rows[index]
            if (row !== undefined) selection.toggle(row.id)
          },
          selectAll: () => selection.add(rows.map(({ id }) => id)),
          clear: selection.clear,
        })
      }
    >
      <Head isReceived={context.isReceived} />
      <div role="rowgroup" ref={anchor} className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <Row
              key={row.id}
              {...context}
              certificate={row}
              index={index}
              isActive={index === active}
              isSelected={selection.ids.has(row.id)}
              onToggle={() => {
                setActive(index)
                selection.toggle(row.id)
              }}
              onOpen={() => {
                setActive(index)
                open(row)
              }}
              style={{ height: size, transform: `translateY(${start - top}px)` }}
            />
          )
        })}
      </div>
    </div>
  )
}

/** How far an element is from the beginning of the document, also after something above it has changed. */
const useTop = (element: RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    const parent = element.current?.closest('main')
    if (parent != null) for (const child of [parent, ...parent.children]) observer.observe(child)
    return () => observer.disconnect()
  }, [element])
  return top
}

const Head = ({ isReceived }: { readonly isReceived: boolean }) => {
  const { columns } = useTexts('certificates')
  const names = [
    ['check', <span className="hidden-visually">{columns.select}</span>],
    ['number', columns.number],
    ['kind', columns.kind],
    ['party', isReceived ? columns.issuer : columns.customer],
    ['order', columns.order],
    ['product', columns.product],
    ['identity', columns.identity],
    ['status', columns.state],
    ['date', columns.date],
  ] as const
  return (
    <div role="rowgroup" className="head">
      <div role="row" aria-rowindex={1}>
        {names.map(([name, text]) =>
          isReceived && name === 'identity' ? null : (
            <div key={name} role="columnheader" className={name}>
              {text}
            </div>
          ),
        )}
      </div>
    </div>
  )
}
