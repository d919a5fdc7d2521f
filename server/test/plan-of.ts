import { sql } from 'kysely'
import type { Query } from '../src/ports/database/database.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

export type Scans = { readonly sequential: number; readonly indexes: readonly string[] }

/** How a statement of these values reads its tables. */
export const scansOf = async (
  query: Query,
  statement: { readonly sql: string; readonly parameters: readonly unknown[] },
): Promise<Scans> => {
  const literal = statement.parameters.map((value) => {
    const text = value instanceof Date ? value.toISOString() : String(value)
    return value === null ? 'null' : `'${text.replaceAll("'", "''")}'`
  })
  const filled = statement.sql.replaceAll(
    /\$(\d+)/g,
    (_all, number: string) => literal[Number(number) - 1] ?? '',
  )
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>`
    explain (format json) ${sql.raw(filled)}`.execute(query)
  const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
  const first = Object.values(rows[0] ?? {})[0] ?? []
  const nodes = first.flatMap(({ Plan: plan }) => nodesOf(plan))
  return {
    sequential: nodes.filter((node) => node['Node Type'] === 'Seq Scan').length,
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
  }
}
