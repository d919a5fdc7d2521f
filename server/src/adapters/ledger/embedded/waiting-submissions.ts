import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type Waiting = { readonly depth: number; readonly dueAt: Date | null }

export const findWaitingSubmissions = async (query: Query, mode: Mode): Promise<Waiting> => {
  const { rows } = await sql<Waiting>`
    select count(*)::int as depth, min(created_at) as due_at
    from ledger_submissions where mode = ${mode} and outcome is null`.execute(query)
  return rows[0] ?? { depth: 0, dueAt: null }
}
