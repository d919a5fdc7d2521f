import { infiniteQueryOptions } from '@tanstack/react-query'
import { nextAfter } from '../../api/next-page.ts'

export type Page<Row> = {
  readonly rows: readonly Row[]
  readonly next: string | undefined
  /** How many the whole list has, if the server says so. */
  readonly total: number | undefined
}

type PageCall = {
  readonly after: { readonly after?: string }
  readonly signal: AbortSignal
  readonly onHeaders: (headers: Headers) => void
}

/** A list of the API that is read page by page. */
export const pagesOf = <Row>(key: readonly unknown[], read: (call: PageCall) => Promise<readonly Row[]>) =>
  infiniteQueryOptions({
    queryKey: ['operator', ...key],
    async queryFn({ pageParam, signal }): Promise<Page<Row>> {
      let headers = new Headers()
      const after = pageParam === undefined ? {} : { after: pageParam }
      const rows = await read({ after, signal, onHeaders: (received) => (headers = received) })
      const total = headers.get('x-total-count')
      return { rows, next: nextAfter(headers), total: total === null ? undefined : Number(total) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
