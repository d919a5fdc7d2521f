import { certificateStates } from './states.ts'

/** What narrows the list, as it is in the address. Dates are days of the reader: 2026-11-22. */
export type ListSearch = {
  readonly q?: string
  readonly state?: (typeof certificateStates)[number]
  readonly identity?: string
  readonly family?: string
  readonly from?: string
  readonly to?: string
}

/** Changes what narrows the list. */
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
})

export const isNarrowed = ({ q, state, identity, family, from, to }: ListSearch): boolean =>
  [q, state, identity, family, from, to].some((value) => value !== undefined)
