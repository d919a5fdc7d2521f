import type { Mode } from '@millseal/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7Bound } from '../../../lib/uuid.ts'
import type { Query } from '../../../ports/database/database.ts'
import type { StoredCertificate } from '../notarizations/certificates.store.ts'
import type { TextQuery } from './search-words.ts'

/** From this time on, and before that one. */
type Period = { readonly from: Date | undefined; readonly to: Date | undefined }

export type CertificateFilter = {
  readonly companyId: string
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

type Range = { readonly after: string | undefined; readonly limit: number }

const hourMs = 3_600_000

/** Up to this many certificates are searched one by one, without the index of texts. */
const few = 1_000
/** If so many of the newest certificates with the other facts have the words, the next ones are tested in their order. */
const oneInFew = 20

/**
 * The ids of certificates, newest first: by the time of notarization if `notarized` is given, else by acceptance. Every
 * statement takes its rows in this order from an index, whatever the planner knows about the values.
 */
export const findCertificateIds = async (
  query: Query,
  filter: CertificateFilter,
  range: Range,
): Promise<readonly string[]> => {
  const { text, companyId } = filter
  if (text === undefined) return await findByFacts(query, filter, range)
  const newest = await findByFacts(query, filter, { after: undefined, limit: few + 1 })
  const among = { companyId, text }
  if (newest.length <= few) return await findAmong(query, newest, { ...range, ...among })
  if (factsOf(filter).length > 0) {
    const hits = await findAmong(query, newest, { after: undefined, limit: few, ...among })
    if (hits.length * oneInFew > newest.length) return await findAlongFacts(query, { ...filter, text }, range)
  }
  return await findByText(query, { ...filter, text }, range)
}

const idsIn = async (query: Query, statement: RawBuilder<{ id: string }>): Promise<readonly string[]> =>
  (await statement.execute(query)).rows.map(({ id }) => id)

const both = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join([...conditions], sql` and `)

const isOrderedByNotarization = ({ notarized: { from, to } }: CertificateFilter): boolean =>
  from !== undefined || to !== undefined

const findByFacts = (query: Query, filter: CertificateFilter, { after, limit }: Range) => {
  const { companyId, mode } = filter
  const scope = [sql`c.company_id = ${companyId}::uuid`, sql`c.mode = ${mode}`, ...factsOf(filter)]
  if (!isOrderedByNotarization(filter)) {
    const next = after === undefined ? [] : [sql`c.id < ${after}::uuid`]
    return idsIn(
      query,
      sql`select c.id from certificates c where ${both([...scope, ...next])} order by c.id desc limit ${limit}::int`,
    )
  }
  const next =
    after === undefined
      ? []
      : [
          sql`(c.recorded_at, c.id) < (select recorded_at, id from certificates
            where id = ${after}::uuid and company_id = ${companyId}::uuid)`,
        ]
  return idsIn(
    query,
    sql`select c.id from certificates c where ${both([...scope, ...next])}
      order by c.recorded_at desc, c.id desc limit ${limit}::int`,
  )
}

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
  ...(notarized.from === undefined && notarized.to === undefined ? [] : [sql`c.recorded_at is not null`]),
  ...(notarized.from === undefined ? [] : [sql`c.recorded_at >= ${notarized.from}`]),
  ...(notarized.to === undefined ? [] : [sql`c.recorded_at < ${notarized.to}`]),
  ...(hash === undefined ? [] : [hasHash(hash)]),
]

/** An array, so that it is looked up first, not tested for one certificate after the other. */
const hasHash = (hash: string): RawBuilder<unknown> => sql`c.id = any (array(
  select id from certificates where hash collate "C" >= ${hash} and hash collate "C" < ${`${hash}~`}
  union all
  select id from certificates where pdf_hash collate "C" >= ${hash} and pdf_hash collate "C" < ${`${hash}~`}
))`

/** Null for a certificate without words, and for one of another company: then nothing comes after it. */
const placeOf = (companyId: string, id: string): RawBuilder<unknown> =>
  sql`select place from certificate_texts where certificate_id = ${id}::uuid and company_id = ${companyId}::uuid`

type Among = Range & { readonly companyId: string; readonly text: TextQuery }

const findAmong = (query: Query, ids: readonly string[], { companyId, text, after, limit }: Among) =>
  idsIn(
    query,
    sql`select t.certificate_id as id from certificate_texts t
      where t.certificate_id = any (${[...ids]}::uuid[]) and (' ' || t.words) like all (${[...text.patterns]}::text[])
        ${after === undefined ? sql`` : sql`and t.place < (${placeOf(companyId, after)})`}
      order by t.place desc limit ${limit}::int`,
  )

type Texts = CertificateFilter & { readonly text: TextQuery }

/** Ids and places have the same order, except among certificates that were accepted in the same moment. */
const findAlongFacts = (query: Query, filter: Texts, { after, limit }: Range) => {
  const { companyId, mode, text, notarized } = filter
  const conditions = [
    sql`c.company_id = ${companyId}::uuid`,
    sql`c.mode = ${mode}`,
    ...factsOf(filter),
    ...(after === undefined ? [] : [sql`c.id < ${after}::uuid`]),
    // Nothing is notarized before it is created: skips what is newer, with an hour for clocks that differ.
    ...(notarized.to === undefined
      ? []
      : [sql`c.id < ${uuidv7Bound(notarized.to.getTime() + hourMs)}::uuid`]),
  ]
  return idsIn(
    query,
    sql`
      select hit.id from (
        select c.id from certificates c where ${both(conditions)} order by c.id desc
      ) as hit
      cross join lateral (
        select from certificate_texts t
        where t.certificate_id = hit.id and (' ' || t.words) like all (${[...text.patterns]}::text[])
        offset 0
      ) as text
      order by hit.id desc limit ${limit}::int`,
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
    after === undefined ? sql`${Number.MAX_SAFE_INTEGER}::bigint` : sql`(${placeOf(companyId, after)})`
  const facts = factsOf(filter)
  const isWanted =
    facts.length === 0
      ? sql`true`
      : sql`exists (select from certificates c where c.id = found.certificate_id and ${both(facts)})`
  return idsIn(
    query,
    sql`
      with places as materialized (
        select ${until} as until, (select min(place) from certificate_texts where ${ofCompany}) as first,
          (select max(place) from certificate_texts where ${ofCompany} and place < ${until}) as last
      )
      select hit.certificate_id as id
      from places cross join generate_series(places.last >> 12, places.first >> 12, -1) as block
      cross join lateral (
        select found.certificate_id, found.place from (
          select * from certificate_texts
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
