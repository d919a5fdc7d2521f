import type { Direction, Mode } from '@millseal/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7Bound } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { StoredCertificate } from '../notarizations/certificates.store.ts'
import { chooseGrams } from './choose-grams.ts'
import { isCommon, oneInCommon, sampleWords } from './sampled-words.store.ts'
import type { TextQuery } from './search-words.ts'

/** From this time on, and before that one. */
type Period = { readonly from: Date | undefined; readonly to: Date | undefined }

export type CertificateFilter = {
  /** The issuer or, for received certificates, the receiver. */
  readonly companyId: string
  readonly direction: Direction
  readonly mode: Mode
  readonly state: StoredCertificate['state'] | undefined
  /** The beginning of the hash of the JSON or of the PDF, in lower case. */
  readonly hash: string | undefined
  readonly identityId: string | undefined
  readonly family: string | undefined
  readonly created: Period
  readonly notarized: Period
  readonly text: TextQuery | undefined
}

export type Range = { readonly after: string | undefined; readonly limit: number }

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
  return await findByText(
    query,
    { ...filter, text: { ...text, grams: chooseGrams(text.grams, sample) } },
    range,
  )
}

export const idsIn = async (
  query: Query,
  statement: RawBuilder<{ id: string }>,
): Promise<readonly string[]> => (await statement.execute(query)).rows.map(({ id }) => id)

export const both = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join([...conditions], sql` and `)

export const rowsOf = ({ direction }: CertificateFilter): RawBuilder<unknown> =>
  direction === 'issued'
    ? sql`certificates`
    : sql`(
        select certificate_id as id, company_id, mode, 'notarized' as state, identity_id, family, recorded_at,
          number, party
        from certificate_receivers
      )`

export const textsOf = ({ direction }: CertificateFilter): RawBuilder<unknown> =>
  direction === 'issued' ? sql`certificate_texts` : sql`received_texts`

export type Order = { readonly by: RawBuilder<unknown>; readonly next: readonly RawBuilder<unknown>[] }

const byId = (after: string | undefined): Order => ({
  by: sql`c.id desc`,
  next: after === undefined ? [] : [sql`c.id < ${after}::uuid`],
})

const byNotarization = (filter: CertificateFilter, after: string | undefined): Order => ({
  by: sql`c.recorded_at desc, c.id desc`,
  next:
    after === undefined
      ? []
      : [
          sql`(c.recorded_at, c.id) < (select n.recorded_at, n.id from ${rowsOf(filter)} n
            where n.id = ${after}::uuid and n.company_id = ${filter.companyId}::uuid)`,
        ],
})

export const isOrderedByNotarization = ({ direction, notarized }: CertificateFilter): boolean =>
  direction === 'received' || notarized.from !== undefined || notarized.to !== undefined

const findByFacts = (query: Query, filter: CertificateFilter, { after, limit }: Range) => {
  const { by, next } = isOrderedByNotarization(filter) ? byNotarization(filter, after) : byId(after)
  return idsIn(
    query,
    sql`select c.id from ${rowsOf(filter)} c where ${both([...scopeOf(filter), ...next])}
      order by ${by} limit ${limit}::int`,
  )
}

export const scopeOf = (filter: CertificateFilter): readonly RawBuilder<unknown>[] => [
  sql`c.company_id = ${filter.companyId}::uuid`,
  sql`c.mode = ${filter.mode}`,
  ...factsOf(filter),
]

/** Conditions on `c` besides its company and mode. */
const factsOf = ({
  state,
  hash,
  identityId,
  family,
  created,
  notarized,
}: CertificateFilter): readonly RawBuilder<unknown>[] => [
  ...(state === undefined ? [] : [sql`c.state = ${state}`]),
  ...(identityId === undefined ? [] : [sql`c.identity_id = ${identityId}::uuid`]),
  ...(family === undefined ? [] : [sql`c.family = ${family}`]),
  // The id begins with the time of creation.
  ...(created.from === undefined ? [] : [sql`c.id >= ${uuidv7Bound(created.from.getTime())}::uuid`]),
  ...(created.to === undefined ? [] : [sql`c.id < ${uuidv7Bound(created.to.getTime())}::uuid`]),
  ...notarizedIn(notarized),
  ...(hash === undefined ? [] : [hasHash(hash)]),
]

const notarizedIn = ({ from, to }: Period): readonly RawBuilder<unknown>[] => [
  ...(from === undefined && to === undefined ? [] : [sql`c.recorded_at is not null`]),
  ...(from === undefined ? [] : [sql`c.recorded_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`c.recorded_at < ${to}`]),
]

/** An array, so that it is looked up first, not tested for one certificate after the other. */
const hasHash = (hash: string): RawBuilder<unknown> => sql`c.id = any (array(
  select id from certificates where hash collate "C" >= ${hash} and hash collate "C" < ${`${hash}~`}
  union all
  select id from certificates where pdf_hash collate "C" >= ${hash} and pdf_hash collate "C" < ${`${hash}~`}
))`

/** Null for a certificate without words, and for one of another company: then nothing comes after it. */
const placeOf = (filter: CertificateFilter, id: string): RawBuilder<unknown> =>
  sql`select place from ${textsOf(filter)} where certificate_id = ${id}::uuid and company_id = ${filter.companyId}::uuid`

type Texts = CertificateFilter & { readonly text: TextQuery }

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

/**
 * Block by block, newest first, until there are enough: a common word is found in the newest blocks, and a rare one
 * costs a look into the index for each block. `offset 0` keeps the planner from using another index for a block.
 */
const findByText = (query: Query, filter: Texts, { after, limit }: Range) => {
  const { companyId, mode, text } = filter
  const ofCompany = sql`company_id = ${companyId}::uuid and mode = ${mode}`
  const until =
    after === undefined ? sql`${Number.MAX_SAFE_INTEGER}::bigint` : sql`(${placeOf(filter, after)})`
  const facts = factsOf(filter)
  const isWanted =
    facts.length === 0
      ? sql`true`
      : sql`exists (select from ${rowsOf(filter)} c
          where c.id = found.certificate_id and c.company_id = ${companyId}::uuid and ${both(facts)})`
  return idsIn(
    query,
    sql`
      with places as materialized (
        select ${until} as until, (select min(place) from ${textsOf(filter)} where ${ofCompany}) as first,
          (select max(place) from ${textsOf(filter)} where ${ofCompany} and place < ${until}) as last
      )
      select hit.certificate_id as id
      from places cross join generate_series(places.last >> 12, places.first >> 12, -1) as block
      cross join lateral (
        select found.certificate_id, found.place from (
          select * from ${textsOf(filter)}
          where text_keys(place, company_id::text || mode, text_grams(words)) @> array(
            select ((block & 511) << 32) | key
            from unnest(array(select unnest(text_keys(0, ${companyId}::text || ${mode}, ${[...text.grams]}::text[])))) as key
          )
          offset 0
        ) as found
        where found.company_id = ${companyId}::uuid and found.mode = ${mode} and found.place >> 12 = block
          and found.place < places.until and (' ' || found.words) like all (${[...text.patterns]}::text[])
          and ${isWanted}
        order by found.place desc limit ${limit}::int
      ) as hit
      limit ${limit}::int`,
  )
}
