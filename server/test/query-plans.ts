import type { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'

export type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
  /** Only of a statement that was executed; for one loop. */
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The plan of the statement as the server runs it: prepared, and after some calls the same for all values. */
export const readPlan = (pool: Pool, statement: CompiledQuery): Promise<readonly Plan[]> =>
  explain(pool, statement, {
    // As if the tables were large: parallel workers, started once for each block, would take seconds.
    settings: `set parallel_setup_cost = 0; set parallel_tuple_cost = 0;
      set min_parallel_table_scan_size = 0; set min_parallel_index_scan_size = 0`,
    options: 'format json',
  })

/** The same with the costs as they are, and with the rows that were read when it was executed. */
export const readExecutedPlan = (pool: Pool, statement: CompiledQuery): Promise<readonly Plan[]> =>
  explain(pool, statement, { settings: '', options: 'analyze, timing off, format json' })

/** The rows that scans read, and those that they read and left out. */
export const rowsRead = (nodes: readonly Plan[]): number =>
  nodes
    .filter(({ 'Node Type': type }) => type.includes('Scan') && !type.startsWith('Subquery'))
    .reduce((sum, node) => {
      const { 'Actual Rows': kept = 0, 'Actual Loops': loops = 0 } = node
      const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node
      return sum + (kept + filtered + rechecked) * loops
    }, 0)

const explain = async (
  pool: Pool,
  statement: CompiledQuery,
  { settings, options }: { readonly settings: string; readonly options: string },
): Promise<readonly Plan[]> => {
  const client = await pool.connect()
  try {
    await client.query(`set plan_cache_mode = force_generic_plan; ${settings}`)
    await client.query(`prepare listed as ${statement.sql}`)
    const values = statement.parameters.map((value) => client.escapeLiteral(textOf(value))).join(', ')
    const { rows: answer } = await client.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (${options}) execute listed${values === '' ? '' : `(${values})`}`,
    )
    return (answer[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan))
  } finally {
    await client.query('deallocate all; reset all')
    client.release()
  }
}

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? `{${value.map((one) => JSON.stringify(one)).join(',')}}` : String(value)
}
