import type { InboxCounts } from '@millseal/contract'
import { ToggleButton } from 'react-aria-components'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import type { DeskSearch } from './desk-search.ts'

const looks = { toDecide: '', doNotAccept: 'bad', look: 'warn', meetsEverything: '' } as const

/** The numbers of open certificates by advice; each is a filter. */
export const Tiles = ({
  counts,
  search,
  onChoose,
}: {
  readonly counts: InboxCounts
  readonly search: DeskSearch
  readonly onChoose: (search: DeskSearch) => void
}) => {
  const t = useTexts('desk')
  const { number } = useFormats()
  const isOpen = search.state === undefined || search.state === 'new'
  const names = ['toDecide', 'doNotAccept', 'look', 'meetsEverything'] as const
  return (
    <div className="tiles" role="group" aria-label={t.tiles.toDecide}>
      {names.map((name) => {
        const advice = name === 'toDecide' ? undefined : name
        return (
          <ToggleButton
            key={name}
            isSelected={isOpen && search.advice === advice}
            onChange={() => onChoose({ advice, state: undefined })}
          >
            <span className={counts[name] > 0 ? looks[name] : ''}>{t.tiles[name]}</span>
            <b>{number(counts[name])}</b>
          </ToggleButton>
        )
      })}
    </div>
  )
}
