import { sql } from 'kysely'
import { generate, PostgresDialect, RawExpressionNode } from 'kysely-codegen'
import type { Query } from '../../server/src/ports/database/database.ts'

/** The types of all tables of a migrated database, as `server/src/ports/database/tables.ts` has them. */
export const tableTypes = async (query: Query): Promise<string> =>
  await generate({
    db: query,
    dialect: new PostgresDialect(),
    camelCase: true,
    excludePattern: '*.migrations',
    overrides: { columns: await checkedColumns(query) },
    // What `value-types.ts` makes of these types when it reads a row.
    typeMapping: { int8: 'number', date: 'string', bytea: 'Uint8Array' },
    print: false,
    typeOnlyImports: true,
  })

/** A column that a check limits to a list of texts has their union as its type. */
const checkedColumns = async (query: Query): Promise<Record<string, RawExpressionNode>> => {
  const { rows } = await sql<{ readonly column: string; readonly definition: string }>`
    select c.relname || '.' || a.attname as column, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
    where k.contype = 'c' and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(query)
  return Object.fromEntries(
    rows.flatMap(({ column, definition }) => {
      const list = /= ANY \(ARRAY\[(.+)\]\)/.exec(definition)?.[1]
      if (list === undefined) return []
      const texts = [...list.matchAll(/('[^']*')::text/g)].map(([, text]) => text)
      return [[column, new RawExpressionNode(texts.join(' | '))]]
    }),
  )
}
