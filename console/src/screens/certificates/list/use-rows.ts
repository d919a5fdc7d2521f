import type { Certificate } from '@millseal/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { joinRows, type ListScope, newestQuery, pagesQuery } from './list-query.ts'

export type Rows = {
  readonly rows: readonly Certificate[]
  readonly total: number | undefined
  readonly isTotalExact: boolean
  readonly isLoading: boolean
  /** The rows are still those of the former search. */
  readonly isStale: boolean
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly error: unknown
  readonly retry: () => void
}

/** The loaded rows of a list, updated with the states of the newest. */
export const useRows = (scope: ListScope): Rows => {
  const queries = useQueryClient()
  const options = pagesQuery(scope)
  const pages = useInfiniteQuery(options)
  const newest = useQuery(newestQuery(scope))
  const isStale = pages.isPlaceholderData || newest.isPlaceholderData
  const joined = useMemo(
    () => joinRows(pages.data, isStale ? undefined : newest.data),
    [pages.data, newest.data, isStale],
  )
  const hasGap = joined === undefined
  useEffect(() => {
    if (hasGap) void queries.resetQueries({ queryKey: options.queryKey })
  }, [hasGap, queries])
  const counted = newest.data ?? pages.data?.pages[0]
  return {
    rows: joined ?? newest.data?.rows ?? [],
    total: counted?.total,
    isTotalExact: counted?.isTotalExact ?? true,
    isLoading: pages.isPending,
    isStale,
    hasMore: pages.hasNextPage,
    loadMore: () => {
      if (!pages.isFetching && pages.error === null) void pages.fetchNextPage()
    },
    error: pages.error ?? undefined,
    retry: () => void pages.refetch(),
  }
}
