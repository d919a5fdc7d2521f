import type { Certificate, CertificateCounts, Mode } from '@millseal/contract'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import type { ListSearch } from './list-search.ts'

export type ListScope = {
  readonly company: string
  readonly mode: Mode
  readonly isReceived: boolean
  readonly search: ListSearch
}

export type Page = {
  readonly rows: readonly Certificate[]
  /** Undefined if this is the last page. */
  readonly next: string | undefined
  readonly total: number | undefined
  readonly isTotalExact: boolean
}

const pageSize = 200

/** Midnight in the time zone of the reader, some days later. */
const midnight = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** Received certificates are filtered by the date of their notarization. */
const periodOf = ({ isReceived, search }: ListScope) => {
  const from = search.from === undefined ? undefined : midnight(search.from)
  const to = search.to === undefined ? undefined : midnight(search.to, 1)
  return isReceived ? { notarizedFrom: from, notarizedTo: to } : { createdFrom: from, createdTo: to }
}

const queryOf = (scope: ListScope) => ({
  mode: scope.mode,
  direction: scope.isReceived ? ('received' as const) : undefined,
  ...factsOf(scope.search),
  ...periodOf(scope),
})

const factsOf = (search: ListSearch) => ({
  text: search.q !== undefined && /[\p{L}\p{N}]/u.test(search.q) ? search.q : undefined,
  state: search.state,
  identity: search.identity,
  family: search.family,
  sort: search.sort,
  order: search.order,
})

type PageOptions = {
  readonly after?: string | undefined
  readonly limit?: number
  readonly signal: AbortSignal
}

export const readPage = async (
  scope: ListScope,
  { after, limit = pageSize, signal }: PageOptions,
): Promise<Page> => {
  let headers = new Headers()
  const rows = await api.listCertificates({
    company: scope.company,
    query: { ...queryOf(scope), after, limit },
    signal,
    onHeaders: (answered) => {
      headers = answered
    },
  })
  const total = headers.get('x-total-count')
  return {
    rows,
    next: headers.has('link') ? rows.at(-1)?.id : undefined,
    total: total === null ? undefined : Number(total),
    isTotalExact: headers.get('x-total-count-exact') !== 'false',
  }
}

const keyOf = ({ company, mode, isReceived, search }: ListScope) =>
  ['certificates', company, mode, isReceived, search] as const

/** The pages that somebody has scrolled to. They are not read again, because `newestQuery` brings changes. */
export const pagesQuery = (scope: ListScope) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(scope), 'pages'],
    queryFn: ({ pageParam, signal }) => readPage(scope, { after: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

const busyMs = 2_500
const calmMs = 30_000

/** The first certificates in their order, read again and again: often while one of them is being notarized. */
export const newestQuery = (scope: ListScope) =>
  queryOptions({
    queryKey: [...keyOf(scope), 'newest'],
    queryFn: ({ signal }) => readPage(scope, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.rows.some((row) => row.state === 'accepted' || row.state === 'running') === true
        ? busyMs
        : calmMs,
    placeholderData: keepPreviousData,
    staleTime: busyMs,
  })

/** The pages, updated by `newest`. Undefined if there is a gap between them. */
export const joinRows = (
  pages: InfiniteData<Page> | undefined,
  newest: Page | undefined,
): readonly Certificate[] | undefined => {
  const loaded = pages?.pages.flatMap(({ rows }) => rows) ?? []
  if (newest === undefined) return loaded
  const last = newest.rows.at(-1)
  if (newest.next === undefined || last === undefined || loaded.length === 0) return newest.rows
  const position = loaded.findIndex(({ id }) => id === last.id)
  return position === -1 ? undefined : [...newest.rows, ...loaded.slice(position + 1)]
}

/** The exact count. The pages count only up to a thousand. */
export const countsQuery = ({ company, mode }: { readonly company: string; readonly mode: Mode }) =>
  queryOptions({
    queryKey: ['certificates', company, mode, 'counts'],
    queryFn: ({ signal }) => api.countCertificates({ company, query: { mode }, signal }),
    refetchInterval: calmMs,
  })

export const totalOf = (
  counts: CertificateCounts,
  isReceived: boolean,
): { readonly total: number; readonly isExact: boolean } | undefined => {
  const { accepted, running, notarized, failed, received } = counts
  const counted = isReceived ? [received] : [accepted, running, notarized, failed]
  const known = counted.filter((each) => each !== undefined)
  if (known.length === 0) return undefined
  return {
    total: known.reduce((sum, { count }) => sum + count, 0),
    isExact: known.every(({ isExact }) => isExact),
  }
}
