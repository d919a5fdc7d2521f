import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import type { Entry } from './entry.ts'
import { FileRow } from './file-row.tsx'
import type { Doubtful } from './notarize-doubtful.tsx'

type Props = {
  readonly entries: readonly Entry[]
  readonly busy: ReadonlySet<string>
  readonly onAccept: Doubtful['onAccept'] | undefined
  readonly onAgain: (id: string) => void
  readonly onOwn: (id: string) => void
  readonly onRemove: (id: string) => void
}

const guessedHeight = 52

/** One row for each file. Only those in the window are drawn, and their heights differ with their findings. */
export const FileTable = ({ entries, busy, onAccept, onAgain, onOwn, onRemove }: Props) => {
  const t = useTexts('files')
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const next = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(next - top) > 1) setTop(next)
  })
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => guessedHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.id ?? index,
  })
  return (
    <div role="table" className="file-table" aria-label={t.title} aria-rowcount={entries.length + 1}>
      <div role="rowgroup" className="head">
        <div role="row" aria-rowindex={1}>
          <div role="columnheader">{t.fileColumns.file}</div>
          <div role="columnheader">{t.fileColumns.state}</div>
          <div role="columnheader">{t.fileColumns.what}</div>
          <div role="columnheader">
            <span className="hidden-visually">{t.open}</span>
          </div>
        </div>
      </div>
      <div role="rowgroup" ref={body} className="rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index]
          return entry === undefined ? null : (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              data-state={entry.state}
              ref={virtualizer.measureElement}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <FileRow
                entry={entry}
                isBusy={busy.has(entry.id)}
                onAccept={onAccept}
                onAgain={() => onAgain(entry.id)}
                onOwn={() => onOwn(entry.id)}
                onRemove={() => onRemove(entry.id)}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}
