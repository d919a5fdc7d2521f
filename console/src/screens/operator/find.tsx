import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { TextField } from '../../ui/field.tsx'

const settleMs = 250

/** Changes what narrows a list, which is in the address. */
export const useNarrow = (): ((next: object) => void) => {
  const navigate = useNavigate()
  return (next) =>
    void navigate({ to: '.', replace: true, search: (search: object) => ({ ...search, ...next }) })
}

type FindProps = {
  readonly label: string
  readonly hint: string
  readonly text: string | undefined
}

/** Searches while somebody types. */
export const Find = ({ label, hint, text }: FindProps) => {
  const narrow = useNarrow()
  const [typed, setTyped] = useState(text ?? '')
  const settled = useDebounced(typed, settleMs)
  useEffect(() => {
    if (settled.trim() !== (text ?? '')) narrow({ text: settled.trim() || undefined })
    // Only what was typed changes the address, not the other way round.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [settled])
  return (
    <div className="find">
      <TextField
        label={label}
        type="search"
        placeholder={hint}
        value={typed}
        onChange={setTyped}
        maxLength={200}
      />
    </div>
  )
}

type ChipsProps<Value extends string> = {
  readonly label: string
  readonly values: Readonly<Record<Value, string>>
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
  /** Leaves out the chip that shows everything. */
  readonly isAlwaysOne?: boolean
  /** Draws the label too, where several groups stand side by side. */
  readonly hasLabel?: boolean
}

export const Chips = <Value extends string>(props: ChipsProps<Value>) => {
  const { label, values, value, onChange, isAlwaysOne = false, hasLabel = false } = props
  const t = useTexts('operator')
  const options = Object.entries(values) as [Value, string][]
  return (
    <div className="chips" role="group" aria-label={label}>
      {hasLabel && <span className="muted">{label}</span>}
      {!isAlwaysOne && (
        <button
          type="button"
          className="chip"
          aria-pressed={value === undefined}
          onClick={() => onChange(undefined)}
        >
          {t.all}
        </button>
      )}
      {options.map(([id, name]) => (
        <button
          key={id}
          type="button"
          className="chip"
          aria-pressed={value === id}
          onClick={() => onChange(id)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
