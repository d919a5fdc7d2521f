import type { Client } from 'pg'

/** A table in a backup. */
export type SavedTable = { readonly schema: string; readonly table: string; readonly rows: number }

/** Snapshots do not cover sequences: they are read after the rows, so that they are never behind them. */
export type SavedSequence = { readonly name: string; readonly lastValue: string; readonly isCalled: boolean }

export const nameOf = ({ schema, table }: Omit<SavedTable, 'rows'>): string => `${schema}.${table}`

/**
 * All our tables except the list of migrations, which a restore writes again, files, which are files in the backup too, and unlogged tables, which a crash would empty
 * as well. From the job queue only the jobs and their configuration, not its statistics.
 */
export const listTables = async (client: Client): Promise<readonly Omit<SavedTable, 'rows'>[]> => {
  const { rows } = await client.query<{ schema: string; table: string }>(`
    select n.nspname as schema, c.relname as table
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and ((n.nspname = 'public' and c.relname not in ('migrations', 'stored_files'))
        or (n.nspname = 'pgboss' and c.relname in ('queue', 'schedule', 'subscription', 'job', 'job_dependency')))
    order by n.nspname desc, c.relname collate "C"`)
  return rows
}

export const readSequences = async (client: Client): Promise<SavedSequence[]> => {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname = 'public' order by 1`)
  const sequences: SavedSequence[] = []
  for (const { name } of rows) {
    const read = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    const [row] = read.rows
    if (row !== undefined) sequences.push({ name, lastValue: row.last, isCalled: row.called })
  }
  return sequences
}
