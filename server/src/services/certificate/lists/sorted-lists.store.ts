import type { CertificateSort, SortOrder } from '@millseal/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import {
  both,
  type CertificateFilter,
  idsIn,
  isOrderedByNotarization,
  type Order,
  type Range,
  rowsOf,
  scopeOf,
  textsOf,
} from './filter.store.ts'

export type Sorting = { readonly sort: CertificateSort; readonly order: SortOrder }

/**
 * The ids of certificates in another order than `findCertificateIds`. `found` are all ids that the filter finds, if they
 * are few: these are sorted. Otherwise certificates are tested in the order of an index, which ends soon because many match.
 */
export const findSortedIds = (
  query: Query,
  {
    filter,
    sorting,
    found,
  }: {
    readonly filter: CertificateFilter
    readonly sorting: Sorting
    readonly found: readonly string[] | undefined
  },
  range: Range,
): Promise<readonly string[]> => {
  const { by, next } = orderOf(filter, sorting, range.after)
  const ofCompany = sql`c.company_id = ${filter.companyId}::uuid`
  const conditions =
    found === undefined
      ? [...scopeOf(filter), ...next, ...wordsOf(filter)]
      : [ofCompany, sql`c.id = any (${[...found]}::uuid[])`, ...next]
  return idsIn(
    query,
    sql`select c.id from ${rowsOf(filter)} c where ${both(conditions)} order by ${by} limit ${range.limit}::int`,
  )
}

const wordsOf = (filter: CertificateFilter): readonly RawBuilder<unknown>[] =>
  filter.text === undefined
    ? []
    : [
        sql`exists (select from ${textsOf(filter)} t
          where t.certificate_id = c.id and t.company_id = ${filter.companyId}::uuid
            and (' ' || t.words) like all (${[...filter.text.patterns]}::text[]) offset 0)`,
      ]

/** The expressions of the indexes. Undefined for the ids, which are in the order of creation. */
const keyOf = (filter: CertificateFilter, sort: CertificateSort): RawBuilder<unknown> | undefined => {
  const isIssued = filter.direction === 'issued'
  if (sort === 'date') return isOrderedByNotarization(filter) ? sql`recorded_at` : undefined
  if (sort === 'number')
    return isIssued ? sql`sort_key(summary::json ->> 'identifier') collate "C"` : sql`number collate "C"`
  return isIssued ? sql`sort_key(summary::json ->> 'buyerName') collate "C"` : sql`party collate "C"`
}

const orderOf = (filter: CertificateFilter, { sort, order }: Sorting, after: string | undefined): Order => {
  const key = keyOf(filter, sort)
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const beyond = order === 'asc' ? sql`>` : sql`<`
  if (key === undefined)
    return {
      by: sql`c.id ${direction}`,
      next: after === undefined ? [] : [sql`c.id ${beyond} ${after}::uuid`],
    }
  const position = sql`(select ${key}, n.id from ${rowsOf(filter)} n
    where n.id = ${after}::uuid and n.company_id = ${filter.companyId}::uuid)`
  return {
    by: sql`${key} ${direction}, c.id ${direction}`,
    next: after === undefined ? [] : [sql`(${key}, c.id) ${beyond} ${position}`],
  }
}
