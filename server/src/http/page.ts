import { limits } from '@millseal/contract'

export type Page = { readonly limit: number; readonly after: string | undefined }

type ListCall = {
  readonly query: { readonly limit?: number; readonly after?: string }
  readonly header: (name: string, value: string) => void
}

/** Asks `find` for one row more than it returns. If that row exists, the `Link` header points to the next page. */
export const listPage = async <Row>(
  { query, header }: ListCall,
  find: (page: Page) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> => {
  const limit = query.limit ?? limits.page.default
  const found = await find({ limit: limit + 1, after: query.after })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  if (found.length > limit && last !== undefined) header('link', linkToNext({ ...query, after: idOf(last) }))
  return rows
}

/** Says on the first page how many entries the whole list has, counted no further than a limit. */
export const tellTotal = async (
  { query, header }: ListCall,
  count: (atMost: number) => Promise<number>,
): Promise<void> => {
  if (query.after !== undefined) return
  const most = limits.countedEntries
  const total = await count(most + 1)
  header('x-total-count', String(Math.min(total, most)))
  header('x-total-count-exact', String(total <= most))
}

/** Relative to the address of the call, so it works behind every proxy and under every address. */
export const linkToNext = (query: object): string => {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return `<?${new URLSearchParams(parameters).toString()}>; rel="next"`
}
