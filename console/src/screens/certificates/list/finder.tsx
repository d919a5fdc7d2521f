import type { Identity } from '@millseal/contract'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { ChoiceMenu } from '../../../ui/choice-menu.tsx'
import { useIdentityName } from '../data/identities.ts'
import { isNarrowed, type ListSearch } from './list-search.ts'
import { PeriodChip } from './period-chip.tsx'
import { SortChip } from './sort-chip.tsx'
import { certificateStates } from './states.ts'
import { useNarrow } from './use-narrow.ts'
import { useNarrowing } from './use-narrowing.ts'

type Props = {
  readonly search: ListSearch
  readonly isReceived: boolean
  readonly identities: readonly Identity[]
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly found: string
}

const nothing: ListSearch = {
  q: undefined,
  state: undefined,
  identity: undefined,
  family: undefined,
  from: undefined,
  to: undefined,
}

export const Finder = ({ search, isReceived, identities, gridRef, found }: Props) => {
  const t = useTexts('certificates')
  const identityName = useIdentityName()
  const narrow = useNarrowing()
  const isNarrowWindow = useNarrow()
  return (
    <div className="finder" role="search" aria-label={t.searchLabel}>
      <SearchInput value={search.q ?? ''} gridRef={gridRef} onChange={(q) => narrow({ q })} />
      {!isReceived && (
        <FilterChip
          label={t.filterState}
          any={t.anyState}
          value={search.state}
          options={certificateStates.map((id) => ({ id, label: t.states[id] }))}
          onChange={(id) => narrow({ state: certificateStates.find((state) => state === id) })}
        />
      )}
      {identities.length > 1 && (
        <FilterChip
          label={t.filterIdentity}
          any={t.anyIdentity}
          value={search.identity}
          options={identities.map((identity) => ({ id: identity.id, label: identityName(identity) }))}
          onChange={(identity) => narrow({ identity })}
        />
      )}
      <FilterChip
        label={t.filterKind}
        any={t.anyKind}
        value={search.family}
        options={Object.entries(t.kinds).map(([id, label]) => ({ id, label }))}
        onChange={(family) => narrow({ family })}
      />
      <PeriodChip search={search} onChange={narrow} />
      {isNarrowWindow && <SortChip {...{ search, isReceived }} />}
      {isNarrowed(search) && (
        <Button kind="quiet" onPress={() => narrow(nothing)}>
          {t.clearFilters}
        </Button>
      )}
      <span className="found" role="status">
        {found}
      </span>
    </div>
  )
}

const typingMs = 250

type SearchProps = {
  readonly value: string
  readonly onChange: (text: string | undefined) => void
  readonly gridRef: RefObject<HTMLDivElement | null>
}

const SearchInput = ({ value, onChange, gridRef }: SearchProps) => {
  const t = useTexts('certificates')
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  // The address changed by itself: back, a link, or the button that clears.
  if (value !== sent.current) {
    sent.current = value
    setText(value)
  }
  useSlashKey(input)
  useEffect(() => {
    if (text.trim() === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text.trim()
      onChange(text.trim() === '' ? undefined : text.trim())
    }, typingMs)
    return () => clearTimeout(timer)
  })
  return (
    <SearchField
      className="search"
      aria-label={t.searchLabel}
      value={text}
      onChange={setText}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') gridRef.current?.focus()
        else event.continuePropagation()
      }}
    >
      <Input ref={input} placeholder={t.search} />
      {text === '' && (
        <kbd aria-hidden="true" title={t.searchKey}>
          /
        </kbd>
      )}
    </SearchField>
  )
}

/** The key `/` goes to the search from everywhere except where somebody types. */
const useSlashKey = (input: RefObject<HTMLInputElement | null>): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [input])
}

type FilterProps = {
  readonly label: string
  /** The words for no filter. */
  readonly any: string
  readonly value: string | undefined
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly onChange: (id: string | undefined) => void
}

const none = 'any'

const FilterChip = ({ label, any, value, options, onChange }: FilterProps) => {
  return (
    <ChoiceMenu
      label={label}
      className={value === undefined ? 'chip' : 'chip on'}
      options={[{ id: none, label: any }, ...options]}
      value={value ?? none}
      onChange={(id) => onChange(id === none ? undefined : id)}
    />
  )
}
