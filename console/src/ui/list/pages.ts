import { type InfiniteData, infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { nextAfter } from '../../api/next-page.ts'

export type Page<Row> = {
  readonly rows: readonly Row[]
  readonly next: string | undefined
  /** The length of the whole list, if the server says it. */
  readonly total: number | undefined
  /** False if there are more than the server counts. */
  readonly isTotalExact: boolean
}

export type Paged<Row> = UseInfiniteQueryResult<InfiniteData<Page<Row>>>

/** A list of the API that is read page by page. */
export const pagesOf = <Row>(
  key: readonly unknown[],
  read: (call: {
    readonly after: { readonly after?: string }
    readonly signal: AbortSignal
    readonly onHeaders: (headers: Headers) => void
  }) => Promise<readonly Row[]>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    async queryFn({ pageParam, signal }): Promise<Page<Row>> {
      let headers = new Headers()
      const after = pageParam === undefined ? {} : { after: pageParam }
      const rows = await read({ after, signal, onHeaders: (received) => (headers = received) })
      const total = headers.get('x-total-count')
      return {
        rows,
        next: nextAfter(headers),
        total: total === null ? undefined : Number(total),
        isTotalExact: headers.get('x-total-count-exact') !== 'false',
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
