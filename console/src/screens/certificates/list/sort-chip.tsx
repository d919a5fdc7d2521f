import { useTexts } from '../../../texts/catalog.ts'
import { ChoiceMenu } from '../../../ui/choice-menu.tsx'
import { type ListSearch, orders, searchOfSorting, sortingOf, sorts } from './list-search.ts'
import { useNarrowing } from '../../../ui/list/use-narrowing.ts'

/** The sorting on phones, where the columns have no headings. */
export const SortChip = ({
  search,
  isReceived,
}: {
  readonly search: ListSearch
  readonly isReceived: boolean
}) => {
  const t = useTexts('certificates')
  const narrow = useNarrowing<ListSearch>()
  const now = sortingOf(search)
  const names = { date: t.columns.date, number: t.columns.number }
  const party = isReceived ? t.columns.issuer : t.columns.customer
  const choices = sorts.flatMap((sort) =>
    orders.map((order) => ({
      id: `${sort} ${order}`,
      label: t.sorted(sort === 'party' ? party : names[sort], order),
      sorting: { sort, order },
    })),
  )
  return (
    <ChoiceMenu
      label={t.sort}
      className="chip"
      options={choices}
      value={`${now.sort} ${now.order}`}
      onChange={(id) => {
        const chosen = choices.find((choice) => choice.id === id)
        if (chosen !== undefined) narrow(searchOfSorting(chosen.sorting))
      }}
    />
  )
}
