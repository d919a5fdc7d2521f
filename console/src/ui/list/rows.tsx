import type { ReactNode } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../button.tsx'
import { Problem } from '../problem.tsx'
import { Loading } from '../screen.tsx'
import type { Paged } from './pages.ts'

type Props<Row> = {
  readonly list: Paged<Row>
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** A list, or the reason why there is none: it loads, it failed, it is empty. */
export const Rows = <Row,>({ list, empty, children }: Props<Row>) => {
  const { lists } = useTexts('common')
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  if (data === undefined)
    return error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />
  const rows = data.pages.flatMap((page) => page.rows)
  return (
    <>
      {rows.length === 0 ? empty : children(rows)}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <div className="row">
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {lists.more}
          </Button>
        </div>
      )}
    </>
  )
}

/** The number of shown rows and of all; empty while it is unknown, and in an empty list, which says so itself. */
export const useFound = <Row,>({ data }: Paged<Row>): string => {
  const { lists } = useTexts('common')
  const { number } = useFormats()
  const [first] = data?.pages ?? []
  if (data === undefined || first?.total === undefined || first.total === 0) return ''
  const shown = data.pages.reduce((sum, { rows }) => sum + rows.length, 0)
  return (first.isTotalExact ? lists.of : lists.ofMore)(number(shown), number(first.total))
}
