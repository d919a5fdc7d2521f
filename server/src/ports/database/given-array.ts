import { type RawBuilder, sql } from 'kysely'

/**
 * An array for `unnest` or `any` in a statement that runs often. PostgreSQL does not look into a subquery when it plans, so it
 * plans once for all arrays. It looks into a bare parameter, and plans again for each short array; that takes longer than the
 * look-up of a few keys.
 */
export const givenArray = (
  values: Uint8Array | readonly unknown[],
  type: 'bool' | 'bytea' | 'int' | 'text' | 'timestamptz' | 'uuid',
): RawBuilder<unknown> => {
  const array = sql.raw(`${type}[]`)
  return sql`(select ${values}::${array})::${array}`
}
