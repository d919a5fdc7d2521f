import { type RawBuilder, sql } from 'kysely'
import { givenArray } from './given-array.ts'

/** `= any(…)`, and `= …` for one id, of which PostgreSQL knows that it finds one row. */
export const anyOf = (ids: readonly string[]): RawBuilder<string> =>
  ids.length === 1 ? sql`= ${ids[0]}::uuid` : sql`= any(${givenArray(ids, 'uuid')})`
