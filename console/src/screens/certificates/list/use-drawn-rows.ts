import type { Certificate } from '@millseal/contract'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { useNarrow } from './use-narrow.ts'

const rowHeights = { wide: 41, narrow: 92 }
const headHeight = 38
/** Rows to draw beyond the window. */
const overscan = 20

type Drawn = {
  readonly drawn: readonly {
    readonly row: Certificate
    readonly index: number
    readonly style: CSSProperties
  }[]
  readonly height: number
  readonly scrollTo: (index: number) => void
}

/** The rows in the window, with their places. */
export const useDrawnRows = ({
  rows,
  active,
  body,
}: {
  readonly rows: readonly Certificate[]
  readonly active: number
  /** The element that has the rows. */
  readonly body: RefObject<HTMLElement | null>
}): Drawn => {
  const isNarrow = useNarrow()
  const top = useTop(body)
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    scrollPaddingStart: isNarrow ? 0 : headHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The active row stays in the document, because aria-activedescendant names it.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range)
      const isDrawn = active >= range.count || drawn.includes(active)
      return isDrawn ? drawn : [...drawn, active].toSorted((a, b) => a - b)
    },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  return {
    drawn: virtualizer.getVirtualItems().flatMap(({ index, start, size }) => {
      const row = rows[index]
      const style = { height: size, transform: `translateY(${start - top}px)` }
      return row === undefined ? [] : [{ row, index, style }]
    }),
    height: virtualizer.getTotalSize(),
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  }
}

/** The distance of an element from the beginning of the document, also after something above it has changed. */
const useTop = (element: RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    const parent = element.current?.closest('main')
    if (parent) for (const child of [parent, ...parent.children]) observer.observe(child)
    return () => observer.disconnect()
  }, [element])
  return top
}
