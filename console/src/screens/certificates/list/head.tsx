import type { CertificateSort } from '@millseal/contract'
import type { ReactNode } from 'react'
import { useTexts } from '../../../texts/catalog.ts'
import { type ListSearch, searchOfSorting, sortedBy, sortingOf } from './list-search.ts'
import { useNarrow } from './use-narrow.ts'
import { useNarrowing } from '../../../ui/list/use-narrowing.ts'

export const Head = ({
  isReceived,
  search,
}: {
  readonly isReceived: boolean
  readonly search: ListSearch
}) => {
  const { columns } = useTexts('certificates')
  const names: readonly (readonly [string, ReactNode, CertificateSort?])[] = [
    ['check', <span className="hidden-visually">{columns.select}</span>],
    ['number', columns.number, 'number'],
    ['kind', columns.kind],
    ['party', isReceived ? columns.issuer : columns.customer, 'party'],
    ['order', columns.order],
    ['heat', columns.heat],
    ['product', columns.product],
    ...(isReceived ? [] : [['identity', columns.identity] as const]),
    ['status', columns.state],
    ['date', columns.date, 'date'],
  ]
  return (
    <div role="rowgroup" className="head">
      <div role="row" aria-rowindex={1}>
        {names.map(([name, text, sort]) =>
          sort === undefined ? (
            <div key={name} role="columnheader" className={name}>
              {text}
            </div>
          ) : (
            <SortHeading key={name} {...{ name, text, sort, search }} />
          ),
        )}
      </div>
    </div>
  )
}

const arrows = { ascending: '▲', descending: '▼', none: '' } as const

const SortHeading = ({
  name,
  text,
  sort,
  search,
}: {
  readonly name: string
  readonly text: ReactNode
  readonly sort: CertificateSort
  readonly search: ListSearch
}) => {
  const narrow = useNarrowing<ListSearch>()
  const isNarrow = useNarrow()
  const now = sortingOf(search)
  const ordered = now.order === 'asc' ? ('ascending' as const) : ('descending' as const)
  const direction = now.sort === sort ? ordered : 'none'
  return (
    <div role="columnheader" className={name} aria-sort={direction}>
      {isNarrow ? (
        text
      ) : (
        <button type="button" onClick={() => narrow(searchOfSorting(sortedBy(search, sort)))}>
          {text} <span aria-hidden="true">{arrows[direction]}</span>
        </button>
      )}
    </div>
  )
}
