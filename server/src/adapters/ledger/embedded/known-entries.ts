import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { EntryRow } from './index-rows.ts'

export type KnownEntry = Pick<EntryRow, 'index' | 'id' | 'jsonHash'>

/** What must be looked up before transactions are appended, for a whole batch. */
export type KnownEntries = {
  /** In the order of the log. */
  findKnown(wanted: {
    readonly ids: readonly string[]
    readonly jsonHashes: readonly string[]
  }): Promise<readonly KnownEntry[]>
  /** The spent ones, as `index/outputIndex`. */
  findSpent(
    outputs: readonly { readonly index: number; readonly outputIndex: number }[],
  ): Promise<ReadonlySet<string>>
}

export const createKnownEntries = (query: Query, mode: Mode): KnownEntries => ({
  async findKnown({ ids, jsonHashes }) {
    const { rows } = await sql<KnownEntry>`
      select index, encode(id, 'hex') as id, encode(json_hash, 'hex') as json_hash from ledger_entries
      where mode = ${mode} and id = any(${ids.map(bytes)})
      union
      select index, encode(id, 'hex'), encode(json_hash, 'hex') from ledger_entries
      where mode = ${mode} and json_hash = any(${jsonHashes.map(bytes)})
      order by index`.execute(query)
    return rows
  },
  async findSpent(outputs) {
    if (outputs.length === 0) return new Set()
    const { rows } = await sql<{ index: number; outputIndex: number }>`
      select o.index, o.output_index from ledger_outputs o
      join unnest(${outputs.map(({ index }) => index)}::bigint[], ${outputs.map(({ outputIndex }) => outputIndex)}::int[])
        as w(index, output_index) on w.index = o.index and w.output_index = o.output_index
      where o.mode = ${mode} and o.spent_by is not null`.execute(query)
    return new Set(rows.map(({ index, outputIndex }) => `${index}/${outputIndex}`))
  },
})

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
