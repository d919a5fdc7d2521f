import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { Page } from './pages.ts'
import { Loading } from '../../ui/screen.tsx'

type Props<Row> = {
  readonly list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** A list with what comes before it: loading, a failure, or that there is nothing. */
export const Rows = <Row,>({ list, empty, children }: Props<Row>) => {
  const t = useTexts('operator')
  const { number } = useFormats()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  if (data === undefined)
    return error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />
  const rows = data.pages.flatMap((page) => page.rows)
  const total = data.pages[0]?.total
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      <div className="row">
        {hasNextPage && (
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t.more}
          </Button>
        )}
        {total !== undefined && rows.length > 0 && (
          <span className="muted" role="status">
            {t.of(number(rows.length), number(total))}
          </span>
        )}
      </div>
    </>
  )
}
