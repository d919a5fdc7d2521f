import type { CertificateSort, SortOrder } from '@millseal/contract'
import { certificateStates } from './states.ts'

/** The filters of the list, as they are in the address. Dates are days of the reader: 2026-11-22. */
export type ListSearch = {
  readonly q?: string
  readonly state?: (typeof certificateStates)[number]
  readonly identity?: string
  readonly family?: string
  readonly from?: string
  readonly to?: string
  /** Absent for the newest first. */
  readonly sort?: CertificateSort
  readonly order?: SortOrder
}

export const sorts = ['date', 'number', 'party'] as const satisfies readonly CertificateSort[]
export const orders = ['asc', 'desc'] as const satisfies readonly SortOrder[]

export type Sorting = { readonly sort: CertificateSort; readonly order: SortOrder }

const usualOrder = (sort: CertificateSort): SortOrder => (sort === 'date' ? 'desc' : 'asc')

export const sortingOf = ({ sort = 'date', order }: ListSearch): Sorting => ({
  sort,
  order: order ?? usualOrder(sort),
})

/** The shortest way to say it in an address. */
export const searchOfSorting = ({ sort, order }: Sorting): Pick<ListSearch, 'sort' | 'order'> => ({
  sort: sort === 'date' ? undefined : sort,
  order: order === usualOrder(sort) ? undefined : order,
})

/** The sorting after a click on a heading: by that column or, if it is so already, in the other direction. */
export const sortedBy = (search: ListSearch, sort: CertificateSort): Sorting => {
  const now = sortingOf(search)
  if (now.sort !== sort) return { sort, order: usualOrder(sort) }
  return { sort, order: now.order === 'asc' ? 'desc' : 'asc' }
}

/** Changes the filters of the list. */
export type Narrow = (change: Partial<ListSearch>) => void

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

const dayOf = (value: unknown): string | undefined => {
  const text = textOf(value)
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined
}

export const readListSearch = (search: Readonly<Record<string, unknown>>): ListSearch => ({
  q: textOf(search['q'])?.slice(0, 200),
  state: certificateStates.find((state) => state === search['state']),
  identity: textOf(search['identity']),
  family: textOf(search['family']),
  from: dayOf(search['from']),
  to: dayOf(search['to']),
  sort: sorts.find((sort) => sort === search['sort']),
  order: orders.find((order) => order === search['order']),
})

export const isNarrowed = ({ q, state, identity, family, from, to }: ListSearch): boolean =>
  [q, state, identity, family, from, to].some((value) => value !== undefined)
