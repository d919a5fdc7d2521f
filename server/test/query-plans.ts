import type { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'

export type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The plan of the statement as the server runs it: prepared, and after some calls the same for all values. */
export const readPlan = async (pool: Pool, statement: CompiledQuery): Promise<readonly Plan[]> => {
  const client = await pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    // As if the tables were large: parallel workers, started once for each block, would take seconds.
    await client.query('set parallel_setup_cost = 0; set parallel_tuple_cost = 0')
    await client.query('set min_parallel_table_scan_size = 0; set min_parallel_index_scan_size = 0')
    await client.query(`prepare listed as ${statement.sql}`)
    const values = statement.parameters.map((value) => client.escapeLiteral(textOf(value))).join(', ')
    const { rows: answer } = await client.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (format json) execute listed${values === '' ? '' : `(${values})`}`,
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
