import { type Direction, directions } from '@millseal/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** Grams are counted in one of so many certificates. */
const sampled = 16
/** A gram of so many of those is common: about 256 of the 4,096 certificates of a block, which take long to compare in the index. */
const common = 16

const tables = {
  issued: { texts: sql`certificate_texts`, places: sql`certificate_texts_place_seq` },
  received: { texts: sql`received_texts`, places: sql`received_texts_place_seq` },
} as const satisfies Readonly<Record<Direction, Readonly<Record<string, RawBuilder<unknown>>>>>

/**
 * Notes which certificates of the next complete block have its common grams, for all companies. A text that is committed
 * later counts as having all of them. Returns false if no block is complete that was not read.
 */
export const readNextBlock = async (query: Query, direction: Direction): Promise<boolean> => {
  const { texts, places } = tables[direction]
  const { rows } = await sql`
    with reached as (select last_value >> 12 as block from ${places}),
    taken as (
      insert into read_blocks (direction, next_block)
      select ${direction}, 1 from reached where block > 0
      on conflict (direction) do update set next_block = read_blocks.next_block + 1
        where read_blocks.next_block < (select block from reached)
      returning next_block - 1 as block
    ),
    texts as materialized (
      select taken.block, t.company_id, t.mode, t.words, t.place, B'1'::bit(4096) >> (t.place & 4095)::int as bit
      from taken, ${texts} t
      where t.place >= taken.block << 12 and t.place < (taken.block + 1) << 12
    ),
    empty as (select ~bit_or(bit) as places from texts),
    grams as materialized (
      select company_id, mode, gram from texts, unnest(text_grams(words)) as gram
      where hashint8(place) % ${sampled}::int = 0
      group by company_id, mode, gram having count(*) >= ${common}::int
    ),
    noted as (
      insert into common_grams (direction, company_id, mode, block, gram, places)
      select ${direction}, company_id, mode, texts.block, gram, bit_or(texts.bit) | (select places from empty)
      from grams join texts using (company_id, mode)
      where ' ' || words like '%' || gram || '%'
      group by company_id, mode, texts.block, gram
    )
    select from taken`.execute(query)
  return rows.length > 0
}

/** Deletes what is noted about texts that were erased, once none of the company is left in the block. */
export const eraseCommonGrams = async (query: Query): Promise<void> => {
  for (const direction of directions)
    await sql`
      delete from common_grams g where direction = ${direction} and not exists (
        select from ${tables[direction].texts} t where t.company_id = g.company_id and t.mode = g.mode
          and t.place >= g.block << 12 and t.place < (g.block + 1) << 12
      )`.execute(query)
}
