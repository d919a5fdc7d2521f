import type { ReactNode } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../button.tsx'
import { ChoiceMenu } from '../choice-menu.tsx'
import './finder.css'

type Props = {
  readonly label: string
  /** The number of results; empty while it is unknown. */
  readonly found: string
  readonly isNarrowed: boolean
  readonly onReset: () => void
  readonly children: ReactNode
}

/** The head of every list: search, filters, the way back to all, and the number of results. */
export const Finder = ({ label, found, isNarrowed, onReset, children }: Props) => {
  const { lists } = useTexts('common')
  return (
    <div className="finder" role="search" aria-label={label}>
      {children}
      {isNarrowed && (
        <Button kind="quiet" onPress={onReset}>
          {lists.clear}
        </Button>
      )}
      <span className="found" role="status">
        {found}
      </span>
    </div>
  )
}

type FilterProps<Id extends string> = {
  readonly label: string
  /** The words for no filter. */
  readonly any: string
  readonly value: Id | undefined
  readonly options: readonly { readonly id: Id; readonly label: string }[]
  readonly onChange: (id: Id | undefined) => void
}

const none = 'any'

export const FilterChip = <Id extends string>({ label, any, value, options, onChange }: FilterProps<Id>) => (
  <ChoiceMenu
    label={label}
    className={value === undefined ? 'chip' : 'chip on'}
    options={[{ id: none, label: any }, ...options]}
    value={value ?? none}
    onChange={(chosen) => onChange(options.find(({ id }) => id === chosen)?.id)}
  />
)

/** The choices of a filter, from their texts. */
export const optionsOf = <Id extends string>(
  texts: Readonly<Record<Id, string>>,
): readonly { readonly id: Id; readonly label: string }[] =>
  (Object.entries(texts) as [Id, string][]).map(([id, label]) => ({ id, label }))
