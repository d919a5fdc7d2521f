import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import { both, factsOf, idsIn, placeOf, type Range, rowsOf, type Texts, textsOf } from './filter.store.ts'

/** `combined`: common grams whose bits tell which blocks to skip, or none. */
type SearchInBlocks = Texts & { readonly combined: readonly string[] }

/** Up to so many certificates of a block are tested one by one, without the index. */
const fewInBlock = 64

/**
 * Block by block, newest first, until there are enough: a common word is found in the newest blocks, and a rare one
 * costs a look into the index for each block. Where certificates that may have all common grams are few, they are tested
 * instead. `offset 0` keeps the planner from using another index for a block.
 */
export const findInBlocks = (
  query: Query,
  filter: SearchInBlocks,
  { after, limit }: Range,
): Promise<readonly string[]> => {
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
        ${bitsInBlock(filter)}
      ) as common
      cross join lateral (
        select found.certificate_id, found.place from (
          (
            select * from ${textsOf(filter)}
            where coalesce(common.count > ${fewInBlock}::int, true) and text_keys(place, company_id::text || mode, text_grams(words)) @> array(
              select ((block & 511) << 32) | key
              from unnest(array(select unnest(text_keys(0, ${companyId}::text || ${mode}, ${[...text.grams]}::text[])))) as key
            )
            offset 0
          )
          union all
          select t.* from (
            select (block << 12) - 1 + sum(length(gap) + 1) over (order by n) as place
            from unnest(string_to_array(common.places::text, '1')) with ordinality as gaps (gap, n)
            where common.count between 1 and ${fewInBlock}::int
          ) as few
          join ${textsOf(filter)} t on t.company_id = ${companyId}::uuid and t.mode = ${mode} and t.place = few.place
        ) as found
        where found.company_id = ${companyId}::uuid and found.mode = ${mode} and found.place >> 12 = block
          and found.place < places.until and (' ' || found.words) like all (${[...text.patterns]}::text[])
          and ${isWanted}
        order by found.place desc limit ${limit}::int
      ) as hit
      limit ${limit}::int`,
  )
}

/** Which certificates of the block may have all combined grams, and how many. */
const bitsInBlock = ({ companyId, mode, direction, combined }: SearchInBlocks): RawBuilder<unknown> =>
  combined.length === 0
    ? sql`select null::bit(4096) as places, null::bigint as count`
    : sql`select bit_and(g.places) as places, bit_count(bit_and(g.places)) as count
        from common_grams g
        where g.company_id = ${companyId}::uuid and g.mode = ${mode} and g.direction = ${direction}
          and g.block = block.block and g.gram = any (${[...combined]}::text[])
        offset 0`
