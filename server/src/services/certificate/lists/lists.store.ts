import { type RawBuilder, sql } from 'kysely'
import { uuidv7Bound } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findInBlocks } from './blocks.store.ts'
import { chooseGrams, commonAmong } from './choose-grams.ts'
import {
  both,
  byId,
  byNotarization,
  type CertificateFilter,
  factsOf,
  idsIn,
  isOrderedByNotarization,
  notarizedIn,
  type Period,
  placeOf,
  type Range,
  rowsOf,
  scopeOf,
  type Texts,
  textsOf,
} from './filter.store.ts'
import { isCommon, oneInCommon, sampleWords } from './sampled-words.store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const always: Period = { from: undefined, to: undefined }

/** Up to this many certificates are searched one by one, without the index of texts. */
const few = 1_000
/** If so many of the newest certificates with the other facts have the words, the next ones are tested in their order. */
const oneInFew = 20

/**
 * The ids of certificates, newest first: by the time of notarization if they were received or `notarized` is given, else by
 * acceptance. Every statement takes its rows in this order from an index, whatever the planner knows about the values.
 */
export const findCertificateIds = async (
  query: Query,
  filter: CertificateFilter,
  range: Range,
): Promise<readonly string[]> => {
  const { text } = filter
  if (text === undefined) return await findByFacts(query, filter, range)
  const newest = await findByFacts(query, filter, { after: undefined, limit: few + 1 })
  const texts = { ...filter, text }
  if (newest.length <= few) return await findAmong(query, newest, texts, range)
  if (factsOf(filter).length > 0) {
    const hits = await findAmong(query, newest, texts, { after: undefined, limit: few })
    if (hits.length * oneInFew > newest.length) return await findAlongFacts(query, texts, range)
  }
  const sample = await sampleWords(query, filter, textsOf(filter))
  if (factsOf(filter).length === 0 && isCommon(text, sample)) {
    const found = await findNewest(query, texts, range)
    if (found.length === range.limit) return found
  }
  const grams = chooseGrams(text.grams, sample)
  const combined = commonAmong(grams, sample)
  return await findInBlocks(query, { ...filter, text: { ...text, grams }, combined }, range)
}

const findByFacts = (query: Query, filter: CertificateFilter, { after, limit }: Range) => {
  const { by, next } = isOrderedByNotarization(filter) ? byNotarization(filter, after) : byId(after)
  return idsIn(
    query,
    sql`select c.id from ${rowsOf(filter)} c where ${both([...scopeOf(filter), ...next])}
      order by ${by} limit ${limit}::int`,
  )
}

const findAmong = (query: Query, ids: readonly string[], filter: Texts, { after, limit }: Range) => {
  const { companyId, text } = filter
  return idsIn(
    query,
    sql`select t.certificate_id as id from ${textsOf(filter)} t
      where t.certificate_id = any (${[...ids]}::uuid[]) and t.company_id = ${companyId}::uuid
        and (' ' || t.words) like all (${[...text.patterns]}::text[])
        ${after === undefined ? sql`` : sql`and t.place < (${placeOf(filter, after)})`}
      order by t.place desc limit ${limit}::int`,
  )
}

/**
 * Ids and places have the same order, except among certificates that were accepted or notarized in the same moment. Most are
 * notarized soon after they are created. So of the issued ones, those created since a day before the period are read first,
 * in their order, while all that were notarized in the period would have to be sorted.
 */
const findAlongFacts = async (query: Query, filter: Texts, range: Range): Promise<readonly string[]> => {
  const { from } = filter.notarized
  if (filter.direction === 'received' || !isOrderedByNotarization(filter))
    return await findAlong(query, filter, range)
  const recent = from === undefined ? [] : [sql`c.id >= ${uuidv7Bound(from.getTime() - dayMs)}::uuid`]
  const found = await findAlong(query, filter, range, recent)
  return from === undefined || found.length === range.limit ? found : await findAlong(query, filter, range)
}

/** `recent`: conditions on the ids. With them, times of notarization are tested after the order. */
const findAlong = (query: Query, filter: Texts, range: Range, recent?: readonly RawBuilder<unknown>[]) => {
  const { after, limit } = range
  const { companyId, direction, text, notarized } = filter
  const isAfterOrder = recent !== undefined
  const { by, next } = direction === 'received' ? byNotarization(filter, after) : byId(after)
  const conditions = [
    ...scopeOf(isAfterOrder ? { ...filter, notarized: always } : filter),
    ...(recent ?? []),
    ...next,
    // Nothing is notarized before it is created: skips what is newer, with an hour for clocks that differ.
    ...(notarized.to === undefined
      ? []
      : [sql`c.id < ${uuidv7Bound(notarized.to.getTime() + hourMs)}::uuid`]),
  ]
  return idsIn(
    query,
    sql`
      select c.id from (
        select c.id, c.recorded_at from ${rowsOf(filter)} c where ${both(conditions)} order by ${by}
        ${isAfterOrder ? sql`offset 0` : sql``}
      ) as c
      cross join lateral (
        select from ${textsOf(filter)} t
        where t.certificate_id = c.id and t.company_id = ${companyId}::uuid
          and (' ' || t.words) like all (${[...text.patterns]}::text[])
        offset 0
      ) as text
      ${isAfterOrder ? sql`where ${both(notarizedIn(notarized))}` : sql``}
      order by ${by} limit ${limit}::int`,
  )
}

/** Among as many of the newest as are needed if one in `oneInCommon` has the words. */
const findNewest = (query: Query, filter: Texts, { after, limit }: Range) => {
  const { companyId, mode, text } = filter
  return idsIn(
    query,
    sql`
      select newest.certificate_id as id from (
        select certificate_id, place, words from ${textsOf(filter)}
        where company_id = ${companyId}::uuid and mode = ${mode}
          ${after === undefined ? sql`` : sql`and place < (${placeOf(filter, after)})`}
        order by place desc limit ${limit * oneInCommon}::int
      ) as newest
      where (' ' || newest.words) like all (${[...text.patterns]}::text[])
      order by newest.place desc limit ${limit}::int`,
  )
}
