import type { Mode } from '@millseal/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { TextQuery } from '../certificates/search-words.ts'

/** Certificates whose words tell how common those of a query are. */
const sampled = 64
/** A word is common if one in so many has it: then the newest certificates are read without the index of texts. */
export const oneInCommon = 4

export const isCommon = ({ patterns }: TextQuery, sample: readonly string[]): boolean => {
  const parts = patterns.map((pattern) => pattern.slice(1, -1))
  const found = sample.filter((words) => parts.every((part) => ` ${words}`.includes(part)))
  return found.length * oneInCommon > sample.length
}

/** The words of some certificates, at random: at equal distances, they could all be of one kind. */
export const sampleWords = async (
  query: Query,
  { companyId, mode }: { readonly companyId: string; readonly mode: Mode },
  texts: RawBuilder<unknown>,
): Promise<readonly string[]> => {
  const ofCompany = sql`company_id = ${companyId}::uuid and mode = ${mode}`
  const { rows } = await sql<{ words: string }>`
    with ends as materialized (
      select (select min(place) from ${texts} where ${ofCompany}) as first,
        (select max(place) from ${texts} where ${ofCompany}) as last
    ), sample as materialized (
      select (first + random() * (last - first))::bigint as place from ends, generate_series(1, ${sampled}::int)
    )
    select text.words from sample cross join lateral (
      select t.words from ${texts} t where ${ofCompany} and t.place >= sample.place
      order by t.place limit 1
    ) as text`.execute(query)
  return rows.map(({ words }) => words)
}
