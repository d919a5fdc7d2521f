import type { Identity } from '@millseal/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { familiesQuery } from '../../../api/families.ts'
import { useLanguage, useTexts } from '../../../texts/catalog.ts'
import { FilterChip, Finder as Frame } from '../../../ui/list/finder.tsx'
import { SearchInput } from '../../../ui/list/search-input.tsx'
import { useNarrowing } from '../../../ui/list/use-narrowing.ts'
import { useIdentityName } from '../data/identities.ts'
import { isNarrowed, type ListSearch } from './list-search.ts'
import { PeriodChip } from './period-chip.tsx'
import { SortChip } from './sort-chip.tsx'
import { certificateStates } from './states.ts'
import { useNarrow } from './use-narrow.ts'

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
  const language = useLanguage()
  const { data: families } = useSuspenseQuery(familiesQuery)
  const identityName = useIdentityName()
  const narrow = useNarrowing<ListSearch>()
  const isNarrowWindow = useNarrow()
  return (
    <Frame
      label={t.searchLabel}
      found={found}
      isNarrowed={isNarrowed(search)}
      onReset={() => narrow(nothing)}
    >
      <SearchInput
        label={t.searchLabel}
        hint={isReceived ? t.searchReceived : t.search}
        value={search.q ?? ''}
        onChange={(q) => narrow({ q })}
        onDown={() => gridRef.current?.focus()}
      />
      {!isReceived && (
        <FilterChip
          label={t.filterState}
          any={t.anyState}
          value={search.state}
          options={certificateStates.map((id) => ({ id, label: t.states[id] }))}
          onChange={(state) => narrow({ state })}
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
        options={families.map(({ name, title }) => ({ id: name, label: title[language] }))}
        onChange={(family) => narrow({ family })}
      />
      <PeriodChip search={search} onChange={narrow} />
      {isNarrowWindow && <SortChip {...{ search, isReceived }} />}
    </Frame>
  )
}
