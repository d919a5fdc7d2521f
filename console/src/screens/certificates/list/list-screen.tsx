import type { Identity } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useRef } from 'react'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Problem } from '../../../ui/problem.tsx'
import { Empty, Screen as Frame } from '../../../ui/screen.tsx'
import { identitiesQuery, useIdentityName } from '../data/identities.ts'
import { useKindName } from '../data/kind.ts'
import { Chosen } from './chosen.tsx'
import { ExportButton } from './export-button.tsx'
import { Finder } from './finder.tsx'
import { Grid } from './grid.tsx'
import { countsQuery, type ListScope, totalOf } from './list-query.ts'
import { isNarrowed, readListSearch } from './list-search.ts'
import './list.css'
import { type Rows, useRows } from './use-rows.ts'
import { useSelection } from './use-selection.ts'

type Props = {
  readonly title: string
  readonly isReceived: boolean
  readonly actions?: ReactNode
  /** Replaces a list without entries. */
  readonly empty: ReactNode
  readonly hint?: string | undefined
  readonly children?: ReactNode
}

/** A list of certificates with search, filters, selection and downloads. */
export const ListScreen = ({ title, isReceived, actions, empty, hint, children }: Props) => {
  const t = useTexts('certificates')
  const { company, mode } = useHere()
  const search = readListSearch(useSearch({ strict: false }))
  const scope: ListScope = { company, mode, isReceived, search }
  const list = useRows(scope)
  const selection = useSelection()
  const gridRef = useRef<HTMLDivElement>(null)
  const identities = useIdentities(isReceived)
  const nameOfIdentity = useNameOfIdentity(identities)
  const kindName = useKindName()
  const found = useFound(list, scope)
  const isEmpty = list.rows.length === 0 && !list.isLoading && list.error === undefined
  const isUnused = isEmpty && !isNarrowed(search) && !list.isStale
  return (
    <Frame
      title={title}
      actions={
        <>
          {!isEmpty && <ExportButton {...{ scope, nameOfIdentity, kindName }} />}
          {actions}
        </>
      }
    >
      {children}
      {isUnused ? (
        empty
      ) : (
        <>
          <Finder {...{ search, isReceived, identities, gridRef, found }} />
          {list.error !== undefined && <Problem error={list.error} onRetry={list.retry} />}
          {isEmpty ? (
            <Empty title={t.nothingTitle}>
              <p>{t.nothingText}</p>
              {search.q !== undefined && <p className="muted">{t.countAfter}</p>}
            </Empty>
          ) : (
            <Grid
              label={title}
              {...{ list, search, selection, gridRef, isReceived, nameOfIdentity, kindName }}
            />
          )}
          {list.hasMore && <p className="muted">{t.loadingMore}</p>}
          {hint !== undefined && <p className="muted">{hint}</p>}
          <Chosen company={company} list={list} selection={selection} />
        </>
      )}
    </Frame>
  )
}

const noIdentities: readonly Identity[] = []

const useIdentities = (isReceived: boolean): readonly Identity[] => {
  const { company, mode, may } = useHere()
  const { data } = useQuery({
    ...identitiesQuery({ company, mode }),
    enabled: !isReceived && may('listIdentities'),
  })
  return data ?? noIdentities
}

const useNameOfIdentity = (identities: readonly Identity[]): ((id: string) => string | undefined) => {
  const identityName = useIdentityName()
  return useCallback(
    (id: string) => {
      const identity = identities.find((each) => each.id === id)
      return identity === undefined ? undefined : identityName(identity)
    },
    [identities, identityName],
  )
}

/** The number of results. The service counts further without a search than with one. */
const useFound = (list: Rows, scope: ListScope): string => {
  const t = useTexts('certificates')
  const { number } = useFormats()
  const isBeyond = !list.isTotalExact && !isNarrowed(scope.search)
  const { data } = useQuery({ ...countsQuery(scope), enabled: isBeyond })
  const counted = data === undefined || !isBeyond ? undefined : totalOf(data, scope.isReceived)
  const total = counted?.total ?? list.total
  const isTotalExact = counted?.isExact ?? list.isTotalExact
  if (list.isLoading || total === undefined) return ''
  return isTotalExact ? t.count(number(total)) : t.countAtLeast(number(total))
}
