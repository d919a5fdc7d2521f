import { type RawBuilder, sql } from 'kysely'

/**
 * `= any(…)`, and `= …` for one id: PostgreSQL keeps the plan of that. A list it plans at every call, because it expects
 * more of a list that it does not know.
 */
export const anyOf = (ids: readonly string[]): RawBuilder<string> =>
  ids.length === 1 ? sql`= ${ids[0]}::uuid` : sql`= any(${[...ids]}::uuid[])`
